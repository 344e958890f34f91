// expect: anomaly StampedCounter.count WRITE-READ
// expect: anomaly StampedCounter.count WRITE-WRITE
import java.util.concurrent.locks.StampedLock;

/** Two may hold the lock for reading at the same time. */
final class StampedCounter {
  private static final StampedLock LOCK = new StampedLock();
  private static int count;

  private static void increment() {
    long stamp = LOCK.readLock();
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
