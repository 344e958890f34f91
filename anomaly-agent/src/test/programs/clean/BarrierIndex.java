// expect: validated
import java.util.concurrent.CyclicBarrier;

/** A certain one does the work. */
final class BarrierIndex {

  public static void main(String[] arguments) throws Exception {
    int[] work = new int[2];
    CyclicBarrier barrier = new CyclicBarrier(2);
    Thread[] threads = new Thread[2];
    for (int t = 0; t < 2; t++) {
      int k = t;
      threads[t] = new Thread(() -> {
        try {
          barrier.await();
          if (k == 0) {
            work[k] = 1;
          }
        } catch (InterruptedException | java.util.concurrent.BrokenBarrierException e) {
          throw new IllegalStateException(e);
        }
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
