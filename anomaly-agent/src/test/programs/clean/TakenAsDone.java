// expect: validated
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Results are taken in the order of the tasks. */
final class TakenAsDone {

  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(3);
    List<Future<Integer>> results = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int number = i;
      results.add(pool.submit(() -> number));
    }
    StringBuilder text = new StringBuilder();
    for (Future<Integer> result : results) {
      text.append(result.get());
    }
    pool.shutdown();
  }
}
