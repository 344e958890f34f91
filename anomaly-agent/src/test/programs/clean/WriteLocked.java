// expect: validated
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Written before anybody reads. */
final class WriteLocked {
  private static int value;

  public static void main(String[] arguments) throws Exception {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    int[] seen = new int[1];
    lock.writeLock().lock();
    value = 1;
    lock.writeLock().unlock();
    Thread two = new Thread(() -> {
      lock.readLock().lock();
      seen[0] = value;
      lock.readLock().unlock();
    });
    two.start();
    two.join();
  }
}
