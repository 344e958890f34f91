// expect: validated
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Each worker computes its part of the next generation; the barrier exchanges the two. */
final class CellularAutomaton {
  private static final int SIZE = 12;
  private static final int WORKERS = 3;

  public static void main(String[] arguments) throws Exception {
    int[][] boards = new int[2][SIZE];
    boards[0][SIZE / 2] = 1;
    CyclicBarrier barrier = new CyclicBarrier(WORKERS);
    Thread[] threads = new Thread[WORKERS];
    for (int w = 0; w < WORKERS; w++) {
      int from = w * SIZE / WORKERS;
      int to = (w + 1) * SIZE / WORKERS;
      threads[w] = new Thread(() -> live(boards, from, to, barrier));
    }
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(boards[0][SIZE / 2]);
  }

  private static void live(int[][] boards, int from, int to, CyclicBarrier barrier) {
    try {
      for (int generation = 0; generation < 4; generation++) {
        int[] now = boards[generation % 2];
        int[] next = boards[1 - generation % 2];
        for (int i = from; i < to; i++) {
          next[i] = now[(i + SIZE - 1) % SIZE] ^ now[(i + 1) % SIZE];
        }
        barrier.await();
      }
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }
}
