// expect: lock-ordered MemoOfFutures.CACHE[*]
// expect: not validated
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;

/** The first who asks computes; others wait for the same future. */
final class MemoOfFutures {
  private static final Map<String, FutureTask<int[]>> CACHE = new ConcurrentHashMap<>();
  private static final Map<String, FutureTask<int[]>> NOTHING = new HashMap<>();

  static int compute(String key) {
    FutureTask<int[]> own = new FutureTask<>(() -> new int[] {key.length()});
    FutureTask<int[]> first = CACHE.putIfAbsent(key, own);
    if (first == null) {
      first = own;
      own.run();
    }
    try {
      return first.get()[0] + NOTHING.size();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    int[] results = new int[2];
    Thread other = new Thread(() -> results[0] = compute("abc"));
    other.start();
    results[1] = compute("abc");
    other.join();
    System.out.println(results[0] + results[1]);
  }
}
