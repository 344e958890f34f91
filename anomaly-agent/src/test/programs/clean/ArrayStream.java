// expect: validated
import java.util.Arrays;

/** Each edge counts at the end that is its own. */
final class ArrayStream {
  static final class Node {
    int degree;
  }

  record Edge(Node from, Node to) {}

  public static void main(String[] arguments) throws Exception {
    Node[] nodes = new Node[10];
    for (int i = 0; i < 10; i++) {
      nodes[i] = new Node();
    }
    Edge[] edges = new Edge[10];
    for (int i = 0; i < 10; i++) {
      edges[i] = new Edge(nodes[i], nodes[(i + 1) % 10]);
    }
    Arrays.stream(edges).parallel().forEach(edge -> edge.from().degree++);
    Arrays.stream(edges).parallel().forEach(edge -> edge.to().degree++);
  }
}
