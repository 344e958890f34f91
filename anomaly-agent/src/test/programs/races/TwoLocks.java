// expect: anomaly TwoLocks.sum WRITE-WRITE
// expect: anomaly TwoLocks.sum WRITE-READ
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** Even and odd iterations hold different locks. */
final class TwoLocks {
  private static final ReentrantLock[] LOCKS = {new ReentrantLock(), new ReentrantLock()};
  private static int sum;

  public static void main(String[] arguments) throws Exception {
    Thread one = new Thread(() -> add(0));
    Thread two = new Thread(() -> add(1));
    one.start();
    two.start();
    one.join();
    two.join();
  }

  private static void add(int k) {
    LOCKS[k].lock();
    try {
      sum += k;
    } finally {
      LOCKS[k].unlock();
    }
  }
}
