// expect: validated
import java.util.stream.IntStream;

/** The order of elements changes after some steps; each is still in one block. */
final class RenumberedElements {
  private static final int ELEMENTS = 1600;
  private static final int BLOCKS = 8;

  private final int[][] corners = new int[ELEMENTS][];
  private final int[] order = new int[ELEMENTS];
  private final double[] sums = new double[2 * ELEMENTS];

  RenumberedElements() {
    for (int e = 0; e < ELEMENTS; e++) {
      corners[e] = new int[] {2 * e, 2 * e + 1};
      order[e] = e;
    }
  }

  private void element(int number) {
    int[] corner = corners[number];
    for (int i = 0; i < 2; i++) {
      sums[corner[i]] += number;
    }
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
  }

  public static void main(String[] arguments) {
    RenumberedElements mesh = new RenumberedElements();
    for (int round = 0; round < 10; round++) {
      mesh.step();
      if (round == 5) {
        // Not the first of a block, so that the first row of the way is the one before.
        int other = mesh.order[250];
        mesh.order[250] = mesh.order[1250];
        mesh.order[1250] = other;
      }
    }
  }
}
