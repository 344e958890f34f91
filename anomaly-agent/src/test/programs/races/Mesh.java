// expect: anomaly Mesh.values[*] WRITE-READ
// expect: anomaly Mesh.sums[*] WRITE-WRITE
import java.util.stream.IntStream;

/** Elements of a mesh, each with three nodes of its own; but one has a node of another. */
final class Mesh {
  private static final int ELEMENTS = 3000;
  private static final int BLOCKS = 30;

  private final int[][] corners = new int[ELEMENTS][];
  private final double[] values = new double[3 * ELEMENTS];
  private final double[] sums = new double[3 * ELEMENTS];

  Mesh() {
    for (int e = 0; e < ELEMENTS; e++) {
      corners[e] = new int[] {3 * e, 3 * e + 1, e == 1550 ? 15 : 3 * e + 2};
    }
  }

  private void element(int e) {
    int[] corner = corners[e];
    for (int i = 0; i < 3; i++) {
      double sum = 0;
      for (int j = 0; j < 3; j++) {
        sum += values[corner[j]];
      }
      sums[corner[i]] += sum;
    }
  }

  private void run(boolean isLast) {
    int size = ELEMENTS / BLOCKS;
    IntStream.range(0, BLOCKS)
        .parallel()
        .forEach(
            block -> {
              for (int e = block * size; e < (block + 1) * size; e++) {
                if (isLast || e != 1550) {
                  element(e);
                }
                if (isLast) {
                  values[3 * e] = e;
                }
              }
            });
  }

  public static void main(String[] arguments) {
    Mesh mesh = new Mesh();
    for (int round = 0; round < 5; round++) {
      mesh.run(false);
    }
    mesh.run(true);
  }
}
