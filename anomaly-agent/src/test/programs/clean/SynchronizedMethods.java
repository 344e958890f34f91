// expect: validated
import java.util.stream.IntStream;

final class SynchronizedMethods {
  static final class Counter {
    private int value;

    synchronized void increment() {
      value++;
    }

    synchronized int get() {
      return value;
    }
  }

  public static void main(String[] arguments) throws Exception {
    int[] seen = new int[10];
    IntStream.range(0, 10).parallel().forEach(i -> {
      Counter counter = new Counter();
      counter.increment();
      seen[i] = counter.get();
    });
  }
}
