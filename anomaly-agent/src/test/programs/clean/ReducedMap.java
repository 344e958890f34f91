// expect: validated
import java.util.concurrent.ConcurrentHashMap;

/** The values of a map are added. */
final class ReducedMap {

  public static void main(String[] arguments) throws Exception {
    ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
    for (int i = 0; i < 100; i++) {
      map.put(i, i);
    }
    System.out.println(map.reduceValues(1, Integer::sum));
  }
}
