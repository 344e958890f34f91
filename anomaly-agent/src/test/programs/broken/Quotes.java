// expect: anomaly Quotes.best WRITE-READ
// expect: anomaly Quotes.best WRITE-WRITE
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** An offer is looked at while the others are still made. */
final class Quotes {
  private static int best = 100;

  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(3);
    List<Callable<Integer>> companies = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int price = 50 - i;
      companies.add(() -> offer(price));
    }
    for (Future<Integer> offer : pool.invokeAll(companies)) {
      best = Math.min(best, offer.get());
    }
    pool.shutdown();
    System.out.println(best);
  }

  private static int offer(int price) {
    int offered = best = Math.min(best, price);
    return offered;
  }
}
