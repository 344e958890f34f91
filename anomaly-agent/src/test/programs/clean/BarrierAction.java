// expect: validated
import java.util.concurrent.CyclicBarrier;

/** The action comes after all that was done before the barrier, whoever runs it. */
final class BarrierAction {
  static int sum;

  public static void main(String[] arguments) throws Exception {
    int[] parts = new int[3];
    int[] seen = new int[3];
    CyclicBarrier barrier = new CyclicBarrier(3, () -> sum += parts[0] + parts[1] + parts[2]);
    Thread[] threads = new Thread[3];
    for (int t = 0; t < 3; t++) {
      int k = t;
      threads[t] = new Thread(() -> {
        try {
          for (int step = 0; step < 20; step++) {
            parts[k] = k + step;
            barrier.await();
            seen[k] += sum;
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
