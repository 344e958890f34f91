// expect: anomaly OptimisticPoint.x WRITE-READ
// expect: anomaly OptimisticPoint.y WRITE-READ
// expect: not validated call of StampedLock.tryOptimisticRead()
import java.util.concurrent.locks.StampedLock;

/** Who writes does not lock. */
final class OptimisticPoint {
  private static final StampedLock LOCK = new StampedLock();
  private static int x;
  private static int y;

  private static void move() {
    long stamp = 0;
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
