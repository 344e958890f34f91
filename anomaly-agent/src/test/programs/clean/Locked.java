// expect: validated
import java.util.stream.IntStream;

/** The lock is left where the loop has ended. */
final class Locked {
  private static final Object LOCK = new Object();
  private static int last;

  public static void main(String[] arguments) throws Exception {
    int[] results = new int[100];
    IntStream.range(0, 100).parallel().forEach(i -> results[i] = i);
    for (int result : results) {
      synchronized (LOCK) {
        last = result;
      }
    }
  }
}
