// expect: validated
import java.util.stream.IntStream;

/** Blocks of elements with nodes of their own, once an iteration. */
final class SameBlocks {
  private static final int ELEMENTS = 3200;
  private static final int BLOCKS = 32;

  private final int[][] ends = new int[ELEMENTS][];
  private final double[] sums = new double[2 * ELEMENTS];

  SameBlocks() {
    for (int e = 0; e < ELEMENTS; e++) {
      ends[e] = new int[] {2 * e, 2 * e + 1};
    }
  }

  private void element(int e) {
    int[] end = ends[e];
    for (int i = 0; i < 2; i++) {
      sums[end[i]] += e;
    }
  }

  private void run(int twice) {
    int size = ELEMENTS / BLOCKS;
    IntStream.range(0, BLOCKS)
        .parallel()
        .forEach(
            number -> {
              int block = number == twice ? 3 : number;
              for (int e = block * size; e < (block + 1) * size; e++) {
                element(e);
              }
            });
  }

  public static void main(String[] arguments) {
    SameBlocks blocks = new SameBlocks();
    for (int round = 0; round < 10; round++) {
      blocks.run(-1);
    }
    blocks.run(3);
  }
}
