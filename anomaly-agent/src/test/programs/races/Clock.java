// expect: not validated System.nanoTime()
import java.util.stream.IntStream;

final class Clock {

  public static void main(String[] arguments) throws Exception {
    long[] times = new long[10];
    IntStream.range(0, 10).parallel().forEach(i -> times[i] = System.nanoTime());
  }
}
