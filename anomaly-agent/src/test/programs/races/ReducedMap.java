// expect: not validated by a function not known to commute
import java.util.concurrent.ConcurrentHashMap;

/** The values of a map are subtracted in an order that nobody knows. */
final class ReducedMap {

  public static void main(String[] arguments) throws Exception {
    ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
    for (int i = 0; i < 100; i++) {
      map.put(i, i);
    }
    System.out.println(map.reduceValues(1, (a, b) -> a - b));
  }
}
