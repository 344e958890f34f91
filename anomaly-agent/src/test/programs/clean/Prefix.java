// expect: validated
import java.util.Arrays;

final class Prefix {

  public static void main(String[] arguments) throws Exception {
    long[] sums = new long[5000];
    Arrays.fill(sums, 1);
    Arrays.parallelPrefix(sums, (a, b) -> a + b);
    System.out.println(sums[4999]);
  }
}
