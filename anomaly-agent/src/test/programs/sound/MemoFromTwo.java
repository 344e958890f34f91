// expect: validated
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Whoever comes first stores what the other would. */
final class MemoFromTwo {
  private static final Map<String, Integer> KNOWN = new ConcurrentHashMap<>();

  private static int length(String key) {
    return key.length();
  }

  private static int twice(String key) {
    return 2 * key.length();
  }

  public static void main(String[] arguments) throws Exception {
    Thread other = new Thread(() -> KNOWN.computeIfAbsent("key", MemoFromTwo::length));
    other.start();
    KNOWN.computeIfAbsent("key", MemoFromTwo::length);
    other.join();
    System.out.println(KNOWN.get("key") > 0 ? twice("key") : 0);
  }
}
