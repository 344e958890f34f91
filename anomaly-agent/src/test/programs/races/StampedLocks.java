// expect: lock-ordered StampedLocks.last
// expect: not validated
import java.util.concurrent.locks.StampedLock;
import java.util.stream.IntStream;

final class StampedLocks {
  static int last;

  public static void main(String[] arguments) throws Exception {
    StampedLock lock = new StampedLock();
    IntStream.range(0, 20).parallel().forEach(i -> {
      long stamp = lock.writeLock();
      last = i;
      lock.unlockWrite(stamp);
    });
  }
}
