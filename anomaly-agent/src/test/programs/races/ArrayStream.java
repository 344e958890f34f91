// expect: anomaly ArrayStream.Node.degree WRITE-WRITE
// expect: anomaly ArrayStream.Node.degree WRITE-READ
import java.util.Arrays;

/** Each edge counts at both its ends, and edges share nodes. */
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
    Arrays.stream(edges).parallel().forEach(edge -> {
      edge.from().degree++;
      edge.to().degree++;
    });
  }
}
