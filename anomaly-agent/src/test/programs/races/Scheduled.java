// expect: not validated ScheduledExecutorService.schedule(), which runs a task when its time has come
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A task that runs when its time has come, though somebody waits for it. */
final class Scheduled {

  public static void main(String[] arguments) throws Exception {
    ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
    int[] cell = {0};
    pool.schedule(() -> cell[0] = 1, 1, TimeUnit.MILLISECONDS).get();
    int seen = cell[0];
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.MINUTES);
  }
}
