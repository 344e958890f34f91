// expect: anomaly Prefix.calls WRITE-WRITE
// expect: anomaly Prefix.calls WRITE-READ
import java.util.Arrays;

/** The operator of a prefix sum is called by whichever task comes by. */
final class Prefix {
  private static int calls;

  public static void main(String[] arguments) throws Exception {
    long[] sums = new long[50];
    Arrays.fill(sums, 1);
    Arrays.parallelPrefix(sums, (a, b) -> {
      calls++;
      return a + b;
    });
    System.out.println(sums[49]);
  }
}
