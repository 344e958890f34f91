// expect: not validated which adds floating-point numbers in parts
import java.util.Arrays;

/** How sums are rounded depends on how the array is split. */
final class PrefixDoubles {

  public static void main(String[] arguments) throws Exception {
    double[] numbers = new double[100];
    Arrays.setAll(numbers, i -> 1.0 / (i + 1));
    Arrays.parallelPrefix(numbers, Double::sum);
    System.out.println(numbers[99]);
  }
}
