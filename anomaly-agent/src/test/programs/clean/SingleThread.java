// expect: validated
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** One thread takes tasks in the order in which one block handed them over. */
final class SingleThread {
  private static int value;
  private static int other;

  public static void main(String[] arguments) throws Exception {
    ExecutorService single = Executors.newSingleThreadExecutor();
    ExecutorService one = Executors.newFixedThreadPool(1);
    for (int i = 0; i < 5; i++) {
      int task = i;
      single.submit(() -> value = 3 * value + task);
      one.execute(() -> other = 5 * other + task);
    }
    single.submit(() -> single.submit(() -> value++)).get().get();
    System.out.println(value);
    single.shutdown();
    one.shutdown();
    one.awaitTermination(1, TimeUnit.MINUTES);
    System.out.println(other);
  }
}
