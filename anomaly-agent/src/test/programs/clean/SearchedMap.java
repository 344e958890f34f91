// expect: validated
import java.util.concurrent.ConcurrentHashMap;

final class SearchedMap {

  public static void main(String[] arguments) throws Exception {
    ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
    for (int i = 0; i < 100; i++) {
      map.put(i, i);
    }
    int largest = 0;
    for (int value : map.values()) {
      largest = Math.max(largest, value);
    }
  }
}
