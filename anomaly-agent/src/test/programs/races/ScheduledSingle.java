// expect: lock-ordered ScheduledSingle.value
// expect: not validated
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The one thread takes the tasks in the order in which concurrent blocks happened to hand them over. */
final class ScheduledSingle {
  private static int value;

  public static void main(String[] arguments) throws Exception {
    ScheduledExecutorService pool = Executors.newSingleThreadScheduledExecutor();
    IntStream.range(0, 4).parallel().forEach(i -> pool.execute(() -> value = i));
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.MINUTES);
    System.out.println(value >= 0);
  }
}
