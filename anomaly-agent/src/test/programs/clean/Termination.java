// expect: validated
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

final class Termination {

  public static void main(String[] arguments) throws Exception {
    int[] results = new int[4];
    ExecutorService pool = Executors.newFixedThreadPool(2);
    for (int i = 0; i < 4; i++) {
      int k = i;
      pool.execute(() -> results[k] = k);
    }
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.MINUTES);
    if (results[0] + results[1] + results[2] + results[3] != 6) {
      throw new IllegalStateException();
    }
  }
}
