// expect: anomaly Colours.sums[*] WRITE-WRITE
import java.util.stream.IntStream;

/** Blocks of elements that share nodes with their neighbours: colours are apart, all of them are not. */
final class Colours {
  private static final int ELEMENTS = 3200;
  private static final int BLOCKS = 32;

  private final int[][] ends = new int[ELEMENTS][];
  private final double[] sums = new double[ELEMENTS + 1];

  Colours() {
    for (int e = 0; e < ELEMENTS; e++) {
      ends[e] = new int[] {e, e + 1};
    }
  }

  private void element(int e) {
    int[] end = ends[e];
    for (int i = 0; i < 2; i++) {
      sums[end[i]] += e;
    }
  }

  private void run(int first, int step) {
    int size = ELEMENTS / BLOCKS;
    IntStream.range(0, BLOCKS / step)
        .parallel()
        .forEach(
            number -> {
              int block = first + number * step;
              for (int e = block * size; e < (block + 1) * size; e++) {
                element(e);
              }
            });
  }

  public static void main(String[] arguments) {
    Colours colours = new Colours();
    for (int round = 0; round < 10; round++) {
      colours.run(round % 2, 2);
    }
    colours.run(0, 1);
  }
}
