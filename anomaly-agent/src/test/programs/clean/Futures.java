// expect: validated
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.List;
import java.util.ArrayList;

final class Futures {
  private static int total;

  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    List<Future<Integer>> futures = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int k = i;
      futures.add(pool.submit(() -> k * k));
    }
    for (Future<Integer> future : futures) {
      total += future.get();
    }
    pool.shutdown();
    System.out.println(total);
  }
}
