// expect: validated
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The same without a time, and waited for. */
final class Scheduled {

  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    int[] cell = {0};
    pool.submit(() -> cell[0] = 1).get();
    int seen = cell[0];
    pool.shutdown();
  }
}
