// expect: validated
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** As with a monitor, by a lock and its condition. */
final class ConditionAwait {
  private static final Lock LOCK = new ReentrantLock();
  private static final Condition FULL = LOCK.newCondition();
  private static boolean isFull;
  private static final int[] CELLS = new int[4];

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(ConditionAwait::fill);
    writer.start();
    LOCK.lock();
    try {
      while (!isFull) {
        FULL.await();
      }
    } finally {
      LOCK.unlock();
    }
    System.out.println(CELLS[0] + CELLS[3]);
    writer.join();
  }

  private static void fill() {
    write();
    LOCK.lock();
    try {
      isFull = true;
      FULL.signalAll();
    } finally {
      LOCK.unlock();
    }
  }

  private static void write() {
    for (int i = 0; i < CELLS.length; i++) {
      CELLS[i] = i;
    }
  }
}
