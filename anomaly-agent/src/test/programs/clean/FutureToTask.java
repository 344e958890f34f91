// expect: validated
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A task waits for a task that it did not submit. */
final class FutureToTask {
  private static final int[] table = new int[16];

  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    Future<?> fills = pool.submit(() -> {
      for (int i = 0; i < 16; i++) {
        table[i] = i;
      }
    });
    Future<Integer> sums = pool.submit(() -> {
      fills.get();
      int sum = 0;
      for (int i = 0; i < 16; i++) {
        sum += table[i];
      }
      return sum;
    });
    sums.get();
    pool.shutdown();
  }
}
