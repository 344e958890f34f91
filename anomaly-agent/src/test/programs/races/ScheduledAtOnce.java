// expect: anomaly ScheduledAtOnce.value WRITE-WRITE
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;

/** A scheduled executor runs a task at once, beside the block that handed it over. */
final class ScheduledAtOnce {
  private static int value;

  public static void main(String[] arguments) throws Exception {
    ScheduledExecutorService pool = Executors.newScheduledThreadPool(2);
    Future<?> task = pool.submit(() -> { value = 1; });
    value = 2;
    task.get();
    pool.shutdown();
    System.out.println(value);
  }
}
