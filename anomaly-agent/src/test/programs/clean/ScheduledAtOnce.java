// expect: validated
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;

/** A scheduled executor runs a task at once, beside the block that handed it over, which waits for it. */
final class ScheduledAtOnce {
  private static int value;

  public static void main(String[] arguments) throws Exception {
    ScheduledExecutorService pool = Executors.newScheduledThreadPool(2);
    Future<?> task = pool.submit(() -> { value = 1; });
    task.get();
    value = 2;
    pool.shutdown();
    System.out.println(value);
  }
}
