// expect: anomaly item[*] WRITE-READ
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A stage changes what it has handed on. */
final class Pipeline {
  public static void main(String[] arguments) throws Exception {
    BlockingQueue<int[]> first = new LinkedBlockingQueue<>();
    BlockingQueue<int[]> second = new LinkedBlockingQueue<>();
    Thread doubles = new Thread(() -> {
      for (int i = 0; i < 3; i++) {
        int[] item = take(first);
        second.add(item);
        item[0] = 2 * item[0];
      }
    });
    doubles.start();
    for (int i = 0; i < 3; i++) {
      first.add(new int[] {i});
    }
    int sum = 0;
    for (int i = 0; i < 3; i++) {
      int[] item = take(second);
      sum += item[0];
    }
    doubles.join();
    System.out.println(sum);
  }

  private static int[] take(BlockingQueue<int[]> queue) {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
