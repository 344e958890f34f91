// expect: anomaly stock WRITE-READ
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** A view that cannot be changed shows changes all the same. */
final class Views {

  public static void main(String[] arguments) throws Exception {
    Map<String, Integer> stock = new HashMap<>();
    Map<String, Integer> view = Collections.unmodifiableMap(stock);
    boolean[] found = new boolean[1];
    Thread reader = new Thread(() -> found[0] = view.containsKey("pear"));
    Thread writer = new Thread(() -> stock.put("pear", 3));
    reader.start();
    writer.start();
    reader.join();
    writer.join();
  }
}
