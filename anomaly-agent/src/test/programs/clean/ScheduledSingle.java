// expect: validated
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** One block hands the tasks over, and the one thread takes them in this order. */
final class ScheduledSingle {
  private static int value;

  public static void main(String[] arguments) throws Exception {
    ScheduledExecutorService pool = Executors.newSingleThreadScheduledExecutor();
    IntStream.range(0, 4).forEach(i -> pool.execute(() -> value = i));
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.MINUTES);
    System.out.println(value >= 0);
  }
}
