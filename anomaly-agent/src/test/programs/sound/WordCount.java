// expect: validated
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Every occurrence is added in one step, and sums do not depend on the order. */
final class WordCount {
  public static void main(String[] arguments) throws Exception {
    ConcurrentMap<String, Integer> counts = new ConcurrentHashMap<>();
    String[] words = {"to", "be", "or", "not", "to", "be"};
    Thread[] threads = new Thread[2];
    for (int t = 0; t < 2; t++) {
      int first = t * 3;
      threads[t] = new Thread(() -> {
        for (int i = first; i < first + 3; i++) {
          count(counts, words[i]);
        }
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(counts.get("to") + counts.get("be"));
  }

  private static void count(ConcurrentMap<String, Integer> counts, String word) {
    counts.merge(word, 1, Integer::sum);
  }
}
