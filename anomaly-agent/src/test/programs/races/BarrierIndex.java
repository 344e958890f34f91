// expect: not validated CyclicBarrier.await(), which says in which order threads came
import java.util.concurrent.CyclicBarrier;

/** The last one to come does the work. */
final class BarrierIndex {

  public static void main(String[] arguments) throws Exception {
    int[] work = new int[2];
    CyclicBarrier barrier = new CyclicBarrier(2);
    Thread[] threads = new Thread[2];
    for (int t = 0; t < 2; t++) {
      int k = t;
      threads[t] = new Thread(() -> {
        try {
          if (barrier.await() == 0) {
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
