// expect: validated
import java.util.stream.IntStream;

/** The numbers of elements, one of which is written when all blocks are done with them. */
final class SharedNumbers {
  private static final int ELEMENTS = 1600;
  private static final int BLOCKS = 8;

  private final int[][] corners = new int[ELEMENTS][];
  private final int[] order = new int[ELEMENTS];
  private final double[] sums = new double[ELEMENTS];

  SharedNumbers() {
    for (int e = 0; e < ELEMENTS; e++) {
      corners[e] = new int[] {e};
      order[e] = e;
    }
  }

  private void element(int number) {
    sums[corners[number][0]]++;
  }

  private void step() {
    IntStream.range(0, BLOCKS)
        .parallel()
        .forEach(
            block -> {
              int end = order.length * (block + 1) / BLOCKS;
              for (int e = order.length * block / BLOCKS; e < end; e++) {
                element(order[e]);
              }
            });
    order[1000] = 1000;
  }

  public static void main(String[] arguments) {
    SharedNumbers mesh = new SharedNumbers();
    for (int round = 0; round < 5; round++) {
      mesh.step();
    }
  }
}
