// expect: anomaly ReadLocked.value WRITE-WRITE
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Two writers that hold the read lock do not exclude each other. */
final class ReadLocked {
  private static int value;

  public static void main(String[] arguments) throws Exception {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    Thread one = new Thread(() -> {
      lock.readLock().lock();
      value = 1;
      lock.readLock().unlock();
    });
    Thread two = new Thread(() -> {
      lock.readLock().lock();
      value = 2;
      lock.readLock().unlock();
    });
    one.start();
    two.start();
    one.join();
    two.join();
  }
}
