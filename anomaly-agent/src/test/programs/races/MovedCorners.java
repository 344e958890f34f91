// expect: anomaly MovedCorners.sums[*] WRITE-WRITE
import java.util.stream.IntStream;

/** Lists of indices that are apart at first, until another object moves some of them. */
final class MovedCorners {
  private static final int BLOCKS = 16;
  private static final int SIZE = 64;
  private static final int[][] CORNERS = new int[BLOCKS * SIZE][2];

  private final double[] sums = new double[2 * BLOCKS * SIZE + 2];

  private MovedCorners(int shift) {
    for (int e = 0; e < CORNERS.length; e++) {
      CORNERS[e][0] = 2 * e;
      CORNERS[e][1] = 2 * e + 1 + shift;
    }
  }

  private void element(int e) {
    int[] corner = CORNERS[e];
    for (int i = 0; i < 2; i++) {
      sums[corner[i]] += e;
    }
  }

  private void run() {
    IntStream.range(0, BLOCKS)
        .parallel()
        .forEach(
            block -> {
              for (int e = block * SIZE; e < (block + 1) * SIZE; e++) {
                element(e);
              }
            });
  }

  public static void main(String[] arguments) {
    MovedCorners corners = new MovedCorners(0);
    for (int i = 0; i < 4; i++) {
      corners.run();
    }
    if (new MovedCorners(1).sums.length > 0) {
      corners.run();
    }
    System.out.println(corners.sums[3] > 0);
  }
}
