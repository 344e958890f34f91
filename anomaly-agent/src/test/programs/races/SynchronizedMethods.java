// expect: anomaly SynchronizedMethods.Counter.value WRITE-READ
import java.util.stream.IntStream;

/** The writer is synchronized, the reader is not. */
final class SynchronizedMethods {
  static final class Counter {
    private int value;

    synchronized void increment() {
      value++;
    }

    int get() {
      return value;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Counter counter = new Counter();
    int[] seen = new int[10];
    IntStream.range(0, 10).parallel().forEach(i -> {
      counter.increment();
      seen[i] = counter.get();
    });
  }
}
