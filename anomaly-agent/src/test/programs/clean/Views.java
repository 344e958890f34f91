// expect: validated
import java.util.HashMap;
import java.util.Map;

/** A copy does not. */
final class Views {

  public static void main(String[] arguments) throws Exception {
    Map<String, Integer> stock = new HashMap<>();
    Map<String, Integer> copy = Map.copyOf(stock);
    boolean[] found = new boolean[1];
    Thread reader = new Thread(() -> found[0] = copy.containsKey("pear"));
    Thread writer = new Thread(() -> stock.put("pear", 3));
    reader.start();
    writer.start();
    reader.join();
    writer.join();
  }
}
