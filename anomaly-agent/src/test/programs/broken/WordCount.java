// expect: lock-ordered counts[*]
// expect: not validated
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** A count is read, and then written. */
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
    counts.put(word, counts.getOrDefault(word, 0) + 1);
  }
}
