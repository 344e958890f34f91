// expect: validated
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Each task has a list of its own; the lists are joined when all are done. */
final class ConfinedList {
  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    List<Integer> shared = new ArrayList<>();
    List<Future<List<Integer>>> parts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int first = i;
      parts.add(pool.submit(() -> collect(first, new ArrayList<>())));
    }
    int sum = 0;
    for (Future<List<Integer>> part : parts) {
      sum += part.get().size();
    }
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.MINUTES);
    System.out.println(sum);
  }

  private static List<Integer> collect(int first, List<Integer> all) {
    for (int i = 0; i < 4; i++) {
      all.add(first * 4 + i);
    }
    return all;
  }
}
