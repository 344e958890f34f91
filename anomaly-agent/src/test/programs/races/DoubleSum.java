// expect: not validated the result of DoubleStream.sum(), a sum of floating-point numbers in parallel, which depends on the worker count
import java.util.stream.IntStream;

/** Floating-point sums depend on how the elements are grouped, and that on the number of workers. */
final class DoubleSum {

  public static void main(String[] arguments) throws Exception {
    double sum = IntStream.range(1, 1000).parallel().mapToDouble(i -> 1.0 / i).sum();
    System.out.println(sum);
  }
}
