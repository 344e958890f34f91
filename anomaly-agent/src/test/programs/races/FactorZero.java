// expect: anomaly x[*] WRITE-READ
import java.util.stream.IntStream;

/** A stride that turns out to be 0: the loop reads one element, again and again. */
final class FactorZero {

  public static void main(String[] arguments) throws Exception {
    int[] x = new int[8];
    int[] sums = new int[4];
    IntStream.range(0, 4).parallel().forEach(i -> {
      if (i == 0) {
        x[0] = 1;
      } else {
        sums[i] = sum(x, 0, 4);
      }
    });
  }

  private static int sum(int[] x, int stride, int n) {
    int sum = 0;
    for (int j = 1; j < n; j++) {
      sum += x[j * stride];
    }
    return sum;
  }
}
