// expect: lock-ordered SemaphoreMutex.text
// expect: not validated
import java.util.concurrent.Semaphore;

/** A semaphore with one permit is a lock: it excludes, and orders nothing. */
final class SemaphoreMutex {
  private static String text = "";

  public static void main(String[] arguments) throws Exception {
    Semaphore mutex = new Semaphore(1);
    Thread one = new Thread(() -> {
      mutex.acquireUninterruptibly();
      text += "a";
      mutex.release();
    });
    Thread two = new Thread(() -> {
      mutex.acquireUninterruptibly();
      text += "b";
      mutex.release();
    });
    one.start();
    two.start();
    one.join();
    two.join();
  }
}
