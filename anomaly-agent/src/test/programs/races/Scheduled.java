// expect: not validated ScheduledExecutorService.schedule(), which runs a task when its time has come
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Which of the tasks the one thread runs first depends on the time. */
final class Scheduled {

  public static void main(String[] arguments) throws Exception {
    ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
    int[] cell = {0};
    pool.schedule(() -> cell[0] = 1, 2, TimeUnit.MILLISECONDS);
    pool.schedule(() -> cell[0] = 2, 1, TimeUnit.MILLISECONDS);
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.MINUTES);
  }
}
