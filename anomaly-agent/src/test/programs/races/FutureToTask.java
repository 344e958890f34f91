// expect: anomaly FutureToTask.table[*] WRITE-READ
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The second task does not ask the first one's future. */
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
      int sum = 0;
      for (int i = 0; i < 16; i++) {
        sum += table[i];
      }
      return sum;
    });
    fills.get();
    sums.get();
    pool.shutdown();
  }
}
