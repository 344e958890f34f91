// expect: anomaly Lists.Node.next WRITE-WRITE
// expect: anomaly Lists.Node.next WRITE-READ
import java.util.stream.IntStream;

/** An own linked list with one head. */
final class Lists {
  static final class Node {
    Node next;
  }

  public static void main(String[] arguments) throws Exception {
    Node head = new Node();
    IntStream.range(0, 10).parallel().forEach(i -> {
      Node node = new Node();
      node.next = head.next;
      head.next = node;
    });
  }
}
