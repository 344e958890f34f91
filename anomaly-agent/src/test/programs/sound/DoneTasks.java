// expect: not validated call of ExecutorCompletionService.take(), which takes whichever is first
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Who has taken all tasks as they were done is after all of them. */
final class DoneTasks {
  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    ExecutorCompletionService<Void> tasks = new ExecutorCompletionService<>(pool);
    int[] results = new int[4];
    for (int i = 0; i < 4; i++) {
      int own = i;
      tasks.submit(() -> {
        results[own] = own + 1;
        return null;
      });
    }
    for (int i = 0; i < 4; i++) {
      tasks.take();
    }
    int sum = results[0] + results[1] + results[2] + results[3];
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.MINUTES);
    System.out.println(sum);
  }
}
