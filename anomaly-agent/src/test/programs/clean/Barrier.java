// expect: validated
import java.util.concurrent.CyclicBarrier;

final class Barrier {

  public static void main(String[] arguments) throws Exception {
    double[] a = new double[4];
    double[] b = new double[4];
    CyclicBarrier barrier = new CyclicBarrier(4);
    Thread[] threads = new Thread[4];
    for (int t = 0; t < 4; t++) {
      int k = t;
      threads[t] = new Thread(() -> {
        try {
          for (int step = 0; step < 3; step++) {
            b[k] = a[(k + 1) % 4] + 1;
            barrier.await();
            a[k] = b[(k + 3) % 4];
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
