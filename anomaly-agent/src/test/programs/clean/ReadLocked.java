// expect: validated
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Readers only. */
final class ReadLocked {
  private static int value = 4;

  public static void main(String[] arguments) throws Exception {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    int[] seen = new int[2];
    Thread one = new Thread(() -> {
      lock.readLock().lock();
      seen[0] = value;
      lock.readLock().unlock();
    });
    Thread two = new Thread(() -> {
      lock.readLock().lock();
      seen[1] = value;
      lock.readLock().unlock();
    });
    one.start();
    two.start();
    one.join();
    two.join();
  }
}
