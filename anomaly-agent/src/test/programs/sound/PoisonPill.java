// expect: validated
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The consumer ends with the last element, which says so. */
final class PoisonPill {
  private static final int[] LAST = new int[0];
  private static int total;

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<int[]> queue = new LinkedBlockingQueue<>();
    Thread consumer = new Thread(() -> {
      try {
        int[] next = queue.take();
        while (next != LAST) {
          total += next[0];
          next = queue.take();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    consumer.start();
    for (int i = 0; i < 4; i++) {
      queue.put(new int[] {i});
    }
    queue.put(LAST);
    consumer.join();
    System.out.println(total);
  }
}
