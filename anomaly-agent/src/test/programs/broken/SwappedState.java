// expect: anomaly SwappedState.Range.low WRITE-WRITE
import java.util.concurrent.atomic.AtomicReference;

/** A part of the state is changed where it is. */
final class SwappedState {
  static final class Range {
    int low;
    final int high;

    Range(int low, int high) {
      this.low = low;
      this.high = high;
    }
  }

  private static final AtomicReference<Range> STATE = new AtomicReference<>(new Range(0, 9));

  static void raise(int low) {
    Range old = STATE.get();
    while (!STATE.compareAndSet(old, new Range(low, old.high))) {
      old = STATE.get();
    }
  }

  static void raiseInPlace(int low) {
    STATE.get().low = low;
  }

  public static void main(String[] arguments) throws Exception {
    Thread one = new Thread(() -> raiseInPlace(1));
    Thread two = new Thread(() -> raiseInPlace(2));
    one.start();
    two.start();
    one.join();
    two.join();
    System.out.println(STATE.get().high);
  }
}
