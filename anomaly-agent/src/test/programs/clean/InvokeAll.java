// expect: validated
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** invokeAll returns when all tasks have ended: nobody needs to ask for the results. */
final class InvokeAll {

  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    int[] results = new int[6];
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int k = i;
      tasks.add(() -> {
        results[k] = k;
        return null;
      });
    }
    pool.invokeAll(tasks);
    int sum = 0;
    for (int result : results) {
      sum += result;
    }
    pool.shutdown();
    if (sum != 15) {
      throw new IllegalStateException();
    }
  }
}
