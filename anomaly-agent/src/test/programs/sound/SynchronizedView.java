// expect: lock-ordered view
// expect: not validated
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** A map behind a synchronized view. */
final class SynchronizedView {
  public static void main(String[] arguments) throws Exception {
    Map<String, Integer> map = new HashMap<>();
    Map<String, Integer> view = Collections.synchronizedMap(map);
    Thread other = new Thread(() -> view.put("a", 1));
    other.start();
    view.put("b", 2);
    other.join();
    System.out.println(map.size());
  }
}
