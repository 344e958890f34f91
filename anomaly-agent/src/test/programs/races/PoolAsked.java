// expect: not validated ForkJoinTask.inForkJoinPool()
import java.util.concurrent.ForkJoinTask;
import java.util.stream.IntStream;

/** The first thread takes part in the loop, and is in no pool. */
final class PoolAsked {
  public static void main(String[] arguments) {
    int[] results = new int[40];
    IntStream.range(0, 40).parallel().forEach(i -> results[i] = ForkJoinTask.inForkJoinPool() ? i : -i);
    System.out.println(results[39] + (ForkJoinTask.inForkJoinPool() ? 1 : 0));
  }
}
