// expect: validated
import java.util.concurrent.locks.ReentrantLock;

/** Each lock has a sum of its own. */
final class TwoLocks {
  private static final ReentrantLock[] LOCKS = {new ReentrantLock(), new ReentrantLock()};
  private static final int[] sums = new int[2];

  public static void main(String[] arguments) throws Exception {
    Thread one = new Thread(() -> add(0));
    Thread two = new Thread(() -> add(1));
    one.start();
    two.start();
    one.join();
    two.join();
    System.out.println(sums[0] + sums[1]);
  }

  private static void add(int k) {
    LOCKS[k].lock();
    try {
      sums[k] += k;
    } finally {
      LOCKS[k].unlock();
    }
  }
}
