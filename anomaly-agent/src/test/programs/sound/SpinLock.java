// expect: lock-ordered SpinLock.IS_TAKEN
// expect: lock-ordered SpinLock.last
// expect: not validated
import java.util.concurrent.atomic.AtomicBoolean;

/** A lock of one atomic flag. */
final class SpinLock {
  private static final AtomicBoolean IS_TAKEN = new AtomicBoolean();
  private static int last;

  private static void set(int value, boolean isLocked) {
    while (isLocked && !IS_TAKEN.compareAndSet(false, true)) {
      Thread.onSpinWait();
    }
    last = value;
    IS_TAKEN.set(false);
  }

  public static void main(String[] arguments) throws Exception {
    Thread one = new Thread(() -> set(1, true));
    one.start();
    set(2, true);
    one.join();
    System.out.println(last > 0);
  }
}
