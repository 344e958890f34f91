// expect: anomaly BarrierAction.sum WRITE-READ
import java.util.concurrent.CyclicBarrier;

/** The one thread reads what the barrier's action writes before it comes to the barrier. */
final class BarrierAction {
  static int sum;

  public static void main(String[] arguments) throws Exception {
    int[] parts = new int[2];
    CyclicBarrier barrier = new CyclicBarrier(2, () -> sum += parts[0] + parts[1]);
    Thread[] threads = new Thread[3];
    for (int t = 0; t < 3; t++) {
      int k = t;
      threads[t] = new Thread(() -> {
        try {
          if (k == 2) {
            int early = sum;
          } else {
            parts[k] = k + 5;
            barrier.await();
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
