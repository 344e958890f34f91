// expect: lock-ordered WokenUp.result
// expect: lock-ordered WokenUp.result[*]
// expect: not validated
import java.util.concurrent.CountDownLatch;

/** Another lock is notified. Who waits already waits forever; the latch keeps this run from it. */
final class WokenUp {
  private static final CountDownLatch SET = new CountDownLatch(1);
  private static final Object LOCK = new Object();
  private static final Object OTHER = new Object();
  private static int[] result;

  public static void main(String[] arguments) throws Exception {
    Thread worker = new Thread(() -> {
      synchronized (OTHER) {
        synchronized (LOCK) {
          result = new int[] {3};
          OTHER.notifyAll();
        }
      }
      SET.countDown();
    });
    worker.start();
    while (SET.getCount() > 0) {
      Thread.onSpinWait();
    }
    synchronized (LOCK) {
      while (result == null) {
        LOCK.wait();
      }
    }
    System.out.println(result[0]);
    worker.join();
  }
}
