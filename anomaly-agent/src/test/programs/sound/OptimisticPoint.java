// expect: lock-ordered OptimisticPoint.x
// expect: lock-ordered OptimisticPoint.y
// expect: not validated call of StampedLock.tryOptimisticRead()
import java.util.concurrent.locks.StampedLock;

/** What was read is thrown away if somebody wrote meanwhile. */
final class OptimisticPoint {
  private static final StampedLock LOCK = new StampedLock();
  private static int x;
  private static int y;

  private static void move() {
    long stamp = LOCK.writeLock();
    x = 3;
    y = 4;
    if (stamp != 0) {
      LOCK.unlockWrite(stamp);
    }
  }

  private static int sum() {
    long stamp = LOCK.tryOptimisticRead();
    int sum = x + y;
    if (!LOCK.validate(stamp)) {
      stamp = LOCK.readLock();
      sum = x + y;
      LOCK.unlockRead(stamp);
    }
    return sum;
  }

  public static void main(String[] arguments) throws Exception {
    Thread other = new Thread(OptimisticPoint::move);
    other.start();
    int sum = sum();
    other.join();
    System.out.println(sum);
  }
}
