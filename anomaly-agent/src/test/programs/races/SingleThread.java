// expect: lock-ordered SingleThread.value
// expect: anomaly SingleThread.other WRITE-WRITE
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Tasks that concurrent blocks hand over come in any order; two threads take them in any. */
final class SingleThread {
  private static int value;
  private static int other;

  public static void main(String[] arguments) throws Exception {
    ExecutorService single = Executors.newSingleThreadExecutor();
    IntStream.range(0, 4).parallel().forEach(i -> single.execute(() -> value = i));
    ExecutorService two = Executors.newFixedThreadPool(2);
    for (int i = 0; i < 4; i++) {
      int task = i;
      two.execute(() -> other = task);
    }
    single.shutdown();
    two.shutdown();
    single.awaitTermination(1, TimeUnit.MINUTES);
    two.awaitTermination(1, TimeUnit.MINUTES);
    System.out.println(value + other);
  }
}
