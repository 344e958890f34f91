// expect: anomaly sums[*][*] WRITE-READ
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** The two arrays are not exchanged, and a step reads what others write. */
final class PrefixByBarrier {
  private static final int SIZE = 4;

  public static void main(String[] arguments) throws Exception {
    int[][] sums = new int[2][SIZE];
    java.util.Arrays.fill(sums[0], 1);
    CyclicBarrier barrier = new CyclicBarrier(SIZE);
    Thread[] threads = new Thread[SIZE];
    for (int i = 0; i < SIZE; i++) {
      int own = i;
      threads[i] = new Thread(() -> scan(sums, own, barrier));
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(sums[0][SIZE - 1]);
  }

  private static void scan(int[][] sums, int own, CyclicBarrier barrier) {
    try {
      int from = 0;
      for (int distance = 1; distance < SIZE; distance *= 2) {
        int to = from;
        int left = own >= distance ? sums[from][own - distance] : 0;
        sums[to][own] = sums[from][own] + left;
        barrier.await();
        from = to;
      }
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }
}
