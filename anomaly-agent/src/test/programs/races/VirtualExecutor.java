// needs: 25
// expect: anomaly log WRITE-WRITE
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A thread for each task, and one list. */
final class VirtualExecutor {

  public static void main(String[] arguments) throws Exception {
    List<String> log = new ArrayList<>();
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 5; i++) {
        int k = i;
        pool.submit(() -> log.add("task " + k));
      }
    }
  }
}
