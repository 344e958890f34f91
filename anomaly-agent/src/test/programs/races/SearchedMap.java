// expect: not validated ConcurrentHashMap.search(), which takes whichever is first
import java.util.concurrent.ConcurrentHashMap;

final class SearchedMap {

  public static void main(String[] arguments) throws Exception {
    ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
    for (int i = 0; i < 100; i++) {
      map.put(i, i);
    }
    int some = map.search(1, (key, value) -> value > 50 ? value : null);
  }
}
