// expect: validated
import java.util.stream.IntStream;

/** Elements by colours, of which no two share a node, though elements of two colours do. */
final class ColouredElements {
  private static final int ELEMENTS = 2000;
  private static final int BLOCKS = 16;

  private final int[][] corners = new int[ELEMENTS][];
  private final int[][] byColour = new int[2][ELEMENTS / 2];
  private final double[] x = new double[ELEMENTS + 1];
  private final double[] values = new double[ELEMENTS + 1];
  private final double[] sums = new double[ELEMENTS + 1];

  ColouredElements() {
    for (int e = 0; e < ELEMENTS; e++) {
      corners[e] = new int[] {e, e + 1};
      byColour[e % 2][e / 2] = e;
      x[e] = e * e;
    }
  }

  private void element(int number) {
    int[] corner = corners[number];
    double[] d = new double[2];
    for (int i = 0; i < 2; i++) {
      d[i] = x[corner[(i + 1) % 2]] - x[corner[i]];
    }
    double size = Math.abs(d[0] * d[1]);
    for (int i = 0; i < 2; i++) {
      double sum = 0;
      for (int j = 0; j < 2; j++) {
        sum += d[j] * values[corner[j]];
      }
      sums[corner[i]] += sum / (1 + size);
    }
  }

  private void step(int[] elements) {
    IntStream.range(0, BLOCKS)
        .parallel()
        .forEach(
            block -> {
              int end = elements.length * (block + 1) / BLOCKS;
              for (int e = elements.length * block / BLOCKS; e < end; e++) {
                element(elements[e]);
              }
            });
  }

  public static void main(String[] arguments) {
    ColouredElements mesh = new ColouredElements();
    for (int round = 0; round < 5; round++) {
      for (int[] elements : mesh.byColour) {
        mesh.step(elements);
      }
    }
  }
}
