// expect: validated
import java.util.Arrays;

/** The greatest so far is not rounded. */
final class PrefixDoubles {

  public static void main(String[] arguments) throws Exception {
    double[] numbers = new double[100];
    Arrays.setAll(numbers, i -> 1.0 / (i + 1));
    Arrays.parallelPrefix(numbers, Math::max);
    System.out.println(numbers[99]);
  }
}
