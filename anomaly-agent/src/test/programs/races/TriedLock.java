// expect: not validated ReentrantLock.tryLock(), which depends on the schedule
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** Who gets the lock depends on who holds it. */
final class TriedLock {

  public static void main(String[] arguments) throws Exception {
    ReentrantLock lock = new ReentrantLock();
    boolean[] got = new boolean[20];
    IntStream.range(0, 20).parallel().forEach(i -> {
      got[i] = lock.tryLock();
      if (got[i]) {
        lock.unlock();
      }
    });
  }
}
