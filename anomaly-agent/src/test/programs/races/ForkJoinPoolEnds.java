// expect: anomaly results[*] WRITE-READ
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/** shutdown does not wait. */
final class ForkJoinPoolEnds {

  public static void main(String[] arguments) throws Exception {
    int[] results = new int[4];
    ForkJoinPool pool = new ForkJoinPool(2);
    for (int i = 0; i < 4; i++) {
      int k = i;
      pool.execute(() -> results[k] = k);
    }
    pool.shutdown();
    int sum = results[0] + results[3];
    pool.awaitTermination(1, TimeUnit.MINUTES);
    System.out.println(sum >= 0);
  }
}
