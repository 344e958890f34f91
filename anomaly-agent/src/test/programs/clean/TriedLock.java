// expect: validated
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** All get it, some later. */
final class TriedLock {

  public static void main(String[] arguments) throws Exception {
    ReentrantLock lock = new ReentrantLock();
    boolean[] got = new boolean[20];
    IntStream.range(0, 20).parallel().forEach(i -> {
      lock.lock();
      try {
        got[i] = true;
      } finally {
        lock.unlock();
      }
    });
  }
}
