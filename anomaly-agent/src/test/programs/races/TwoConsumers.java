// expect: lock-ordered queue

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Two threads take from one queue: who gets what is schedule-dependent, but each is after its put. */
final class TwoConsumers {
  private static void add(BlockingQueue<int[]> queue, int[] sum) {
    try {
      for (int i = 0; i < 50; i++) {
        int[] message = queue.take();
        sum[0] += message[0];
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<int[]> queue = new LinkedBlockingQueue<>();
    int[][] sums = new int[2][1];
    Thread one = new Thread(() -> add(queue, sums[0]));
    Thread other = new Thread(() -> add(queue, sums[1]));
    one.start();
    other.start();
    for (int i = 0; i < 100; i++) {
      int[] message = new int[1];
      message[0] = i;
      queue.put(message);
    }
    one.join();
    other.join();
    if (sums[0][0] + sums[1][0] != 4950) {
      throw new IllegalStateException();
    }
  }
}
