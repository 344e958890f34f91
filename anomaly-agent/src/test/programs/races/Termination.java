// expect: anomaly results[*] WRITE-READ
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** shutdown does not wait. */
final class Termination {

  public static void main(String[] arguments) throws Exception {
    int[] results = new int[4];
    ExecutorService pool = Executors.newFixedThreadPool(2);
    for (int i = 0; i < 4; i++) {
      int k = i;
      pool.execute(() -> results[k] = k);
    }
    pool.shutdown();
    int sum = results[0] + results[1] + results[2] + results[3];
    pool.awaitTermination(1, TimeUnit.MINUTES);
    System.out.println(sum >= 0);
  }
}
