// expect: anomaly StaticElements.sums[*] WRITE-READ
import java.util.stream.IntStream;

/** Elements of a class, by their own numbers: each reads the node that the next one writes. */
final class StaticElements {
  private static final int ELEMENTS = 2000;
  private static final int BLOCKS = 16;
  private static final int[][] ENDS = new int[ELEMENTS][];
  private static final double[] sums = new double[ELEMENTS + 1];
  private static final double[] values = new double[ELEMENTS + 1];

  static {
    for (int e = 0; e < ELEMENTS; e++) {
      ENDS[e] = new int[] {e, e + 1};
    }
  }

  private StaticElements() {}

  private static double element(int e, double factor) {
    sums[ENDS[e][0]] = factor * sums[ENDS[e][1]];
    return factor;
  }

  public static void main(String[] arguments) {
    double[] totals = new double[BLOCKS];
    for (int round = 0; round < 4; round++) {
      IntStream.range(0, BLOCKS)
          .parallel()
          .forEach(
              block -> {
                double total = 0;
                int end = (block + 1) * (ELEMENTS / BLOCKS);
                for (int e = block * (ELEMENTS / BLOCKS); e < end; e++) {
                  total += element(e, 0.5);
                }
                totals[block] = total;
              });
    }
  }
}
