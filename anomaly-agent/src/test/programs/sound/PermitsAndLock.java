// expect: lock-ordered PermitsAndLock.last
// expect: not validated
import java.util.concurrent.Semaphore;

/** A semaphore bounds how many go on; a lock protects what they share. */
final class PermitsAndLock {
  private static final Semaphore PERMITS = new Semaphore(2);
  private static final Object LOCK = new Object();
  private static int last;

  private static void set(int value) {
    PERMITS.acquireUninterruptibly();
    synchronized (LOCK) {
      last = value;
    }
    PERMITS.release();
  }

  public static void main(String[] arguments) throws Exception {
    Thread one = new Thread(() -> set(1));
    Thread two = new Thread(() -> set(2));
    one.start();
    two.start();
    one.join();
    two.join();
    System.out.println(last > 0);
  }
}
