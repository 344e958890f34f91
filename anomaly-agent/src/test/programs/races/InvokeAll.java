// expect: anomaly InvokeAll.done WRITE-WRITE
// expect: anomaly InvokeAll.done WRITE-READ
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Tasks of one call count in one field. */
final class InvokeAll {
  private static int done;

  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      tasks.add(() -> ++done);
    }
    pool.invokeAll(tasks);
    pool.shutdown();
  }
}
