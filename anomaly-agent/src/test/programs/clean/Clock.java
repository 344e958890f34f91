// expect: validated
import java.util.stream.IntStream;

/** The clock is read once, before the loop. */
final class Clock {

  public static void main(String[] arguments) throws Exception {
    long now = System.nanoTime();
    long[] times = new long[10];
    IntStream.range(0, 10).parallel().forEach(i -> times[i] = now + i);
  }
}
