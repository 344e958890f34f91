// expect: validated
import java.util.stream.IntStream;

/** A head for each bucket. */
final class Lists {
  static final class Node {
    Node next;
  }

  public static void main(String[] arguments) throws Exception {
    Node[] heads = new Node[10];
    IntStream.range(0, 10).parallel().forEach(i -> {
      heads[i] = new Node();
      Node node = new Node();
      node.next = heads[i].next;
      heads[i].next = node;
    });
  }
}
