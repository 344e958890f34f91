// expect: anomaly Futures.total WRITE-WRITE
// expect: anomaly Futures.total WRITE-READ
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.List;
import java.util.ArrayList;

final class Futures {
  private static int total;

  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    List<Future<?>> futures = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      futures.add(pool.submit(() -> total++));
    }
    for (Future<?> future : futures) {
      future.get();
    }
    pool.shutdown();
  }
}
