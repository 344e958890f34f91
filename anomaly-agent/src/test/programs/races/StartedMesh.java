// expect: anomaly StartedMesh.sums[*] WRITE-WRITE
import java.util.stream.IntStream;

/**
 * Rows of indices that a loop goes through while the class is still being initialised, and that are changed then so that two blocks share a node.
 */
final class StartedMesh {
  private static final int[][] corners = new int[256][];
  private static final double[] sums = new double[512];
  private static final double[] weights = new double[512];

  static {
    for (int e = 0; e < 256; e++) {
      corners[e] = new int[] {e};
    }
    IntStream.range(0, 1).parallel().forEach(one -> {
      weigh(0, 128);
      weigh(128, 256);
    });
    corners[200] = new int[] {5}; // which another block has, too
  }

  private static double weight(int number) {
    int[] corner = corners[number];
    double sum = 0;
    for (int i = 0; i < 1; i++) {
      sum += weights[corner[i]];
    }
    return sum;
  }

  private static double weigh(int from, int to) {
    double sum = 0;
    for (int e = from; e < to; e++) {
      sum += weight(e);
    }
    return sum;
  }

  private static void element(int number) {
    int[] corner = corners[number];
    for (int i = 0; i < 1; i++) {
      sums[corner[i]]++;
    }
  }

  private static void visit(int from, int to) {
    for (int e = from; e < to; e++) {
      element(e);
    }
  }

  public static void main(String[] arguments) {
    for (int step = 0; step < 5; step++) {
      IntStream.range(0, 2).parallel().forEach(block -> visit(block * 128, (block + 1) * 128));
    }
    System.out.println(sums[5]);
  }
}
