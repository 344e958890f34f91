// expect: not validated ThreadLocal.get(), which depends on which thread runs the block
import java.util.stream.IntStream;

/** Which iterations share a thread is schedule-dependent. */
final class PerThread {
  private static final ThreadLocal<int[]> COUNT = ThreadLocal.withInitial(() -> new int[1]);

  public static void main(String[] arguments) throws Exception {
    int[] numbers = new int[10];
    IntStream.range(0, 10).parallel().forEach(i -> {
      int[] count = COUNT.get();
      numbers[i] = count.length + i;
    });
  }
}
