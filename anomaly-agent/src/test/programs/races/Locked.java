// expect: lock-ordered Locked.last
// expect: not validated
import java.util.stream.IntStream;

final class Locked {
  private static final Object LOCK = new Object();
  private static int last;

  public static void main(String[] arguments) throws Exception {
    IntStream.range(0, 100).parallel().forEach(i -> {
      synchronized (LOCK) {
        last = i;
      }
    });
  }
}
