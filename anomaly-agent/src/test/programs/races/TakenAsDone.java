// expect: not validated ExecutorCompletionService.take(), which takes whichever is first
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Results are taken in the order in which tasks end. */
final class TakenAsDone {

  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(3);
    ExecutorCompletionService<Integer> results = new ExecutorCompletionService<>(pool);
    for (int i = 0; i < 4; i++) {
      int number = i;
      results.submit(() -> number);
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      text.append(results.take().get());
    }
    pool.shutdown();
  }
}
