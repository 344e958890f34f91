// expect: validated
import java.util.concurrent.ForkJoinTask;
import java.util.stream.IntStream;

/** Every iteration does the same. */
final class PoolAsked {
  public static void main(String[] arguments) {
    int[] results = new int[40];
    IntStream.range(0, 40).parallel().forEach(i -> results[i] = i > 20 ? i : -i);
    System.out.println(results[39] + (ForkJoinTask.inForkJoinPool() ? 1 : 0));
  }
}
