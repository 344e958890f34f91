// expect: commuting StampedCounter.count
// expect: validated
import java.util.concurrent.locks.StampedLock;

/** Who writes has the lock alone. */
final class StampedCounter {
  private static final StampedLock LOCK = new StampedLock();
  private static int count;

  private static void increment() {
    long stamp = LOCK.writeLock();
    try {
      count++;
    } finally {
      LOCK.unlock(stamp);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Thread other = new Thread(StampedCounter::increment);
    other.start();
    increment();
    other.join();
    System.out.println(count);
  }
}
