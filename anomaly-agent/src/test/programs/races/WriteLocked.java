// expect: lock-ordered WriteLocked.value
// expect: not validated
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Read and write lock exclude each other, in an order schedule-dependent. */
final class WriteLocked {
  private static int value;

  public static void main(String[] arguments) throws Exception {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    int[] seen = new int[1];
    Thread one = new Thread(() -> {
      lock.writeLock().lock();
      value = 1;
      lock.writeLock().unlock();
    });
    Thread two = new Thread(() -> {
      lock.readLock().lock();
      seen[0] = value;
      lock.readLock().unlock();
    });
    one.start();
    two.start();
    one.join();
    two.join();
  }
}
