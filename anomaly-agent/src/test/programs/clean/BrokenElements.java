// expect: validated
import java.util.stream.IntStream;

/**
 * Elements that throw: a row that is not there, one that is too short, an index beyond the array,
 * too few numbers. Only what they would access afterwards is another block's.
 */
final class BrokenElements {
  private static final int SIZE = 100;
  private static final int BLOCKS = 4;

  private final int[][] corners = new int[BLOCKS * SIZE][];
  private final double[] sums = new double[4 * BLOCKS * SIZE];
  private final String[] caught = new String[BLOCKS];

  BrokenElements() {
    for (int e = 0; e < corners.length; e++) {
      // Every block has its own nodes up to its 50th element; what follows are the next one's.
      int node = e % SIZE <= 50 ? 4 * e : 4 * ((e + SIZE - 50) % corners.length);
      if (e == SIZE + 50) {
        corners[e] = new int[] {node, node + 1};
      } else if (e == 2 * SIZE + 50) {
        corners[e] = new int[] {node, node + 1, 1 << 20};
      } else if (e != 50) {
        corners[e] = new int[] {node, node + 1, node + 2};
      }
    }
  }

  private void element(int number) {
    int[] corner = corners[number];
    for (int i = 0; i < 3; i++) {
      sums[corner[i]] += number;
    }
  }

  private void step() {
    IntStream.range(0, BLOCKS)
        .parallel()
        .forEach(
            block -> {
              int[] numbers = new int[block == 3 ? 51 : SIZE];
              for (int e = 0; e < numbers.length; e++) {
                numbers[e] = block * SIZE + e;
              }
              visit(block, numbers);
            });
  }

  private void visit(int block, int[] numbers) {
    try {
      for (int e = 0; e < SIZE; e++) {
        element(numbers[e]);
      }
    } catch (NullPointerException | ArrayIndexOutOfBoundsException e) {
      caught[block] = e.getClass().getSimpleName();
    }
  }

  public static void main(String[] arguments) {
    BrokenElements mesh = new BrokenElements();
    for (int round = 0; round < 5; round++) {
      mesh.step();
    }
    String all = String.join(" ", mesh.caught);
    String index = "ArrayIndexOutOfBoundsException";
    if (!all.equals(String.join(" ", "NullPointerException", index, index, index))
        || mesh.sums[4 * 49] != 5 * 49
        || mesh.sums[4 * (SIZE + 50) + 1] != 5 * (SIZE + 50)) {
      throw new AssertionError(all);
    }
  }
}
