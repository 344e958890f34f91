// expect: anomaly map WRITE-WRITE
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** One goes past the view. */
final class SynchronizedView {
  public static void main(String[] arguments) throws Exception {
    Map<String, Integer> map = new HashMap<>();
    Map<String, Integer> view = Collections.synchronizedMap(map);
    Thread other = new Thread(() -> view.put("a", 1));
    other.start();
    map.put("b", 2);
    other.join();
    System.out.println(map.size());
  }
}
