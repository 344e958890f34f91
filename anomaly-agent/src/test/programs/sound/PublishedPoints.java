// expect: validated
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Points in a concurrent map never change: a new one takes the place of the old. */
final class PublishedPoints {
  static final class Point {
    int x;

    Point(int x) {
      this.x = x;
    }
  }

  private static void move(Map<String, Point> places, String name, int x) {
    places.put(name, new Point(x));
  }

  private static void moveInPlace(Map<String, Point> places, String name, int x) {
    places.get(name).x = x;
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, Point> places = new ConcurrentHashMap<>();
    Point first = new Point(0);
    places.put("a", first);
    Thread driver = new Thread(() -> move(places, "a", 1));
    driver.start();
    int seen = first.x;
    driver.join();
    System.out.println(Math.min(seen, 0) + places.get("a").x);
    if (arguments.length > 0) {
      moveInPlace(places, "a", 2);
    }
  }
}
