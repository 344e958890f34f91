// expect: lock-ordered queue
// expect: not validated
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Several consumers, and a last element for each. */
final class PoisonPills {
  private static final int[] LAST = new int[0];
  private static int total;

  private static synchronized void add(int value) {
    total += value;
  }

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<int[]> queue = new LinkedBlockingQueue<>();
    List<Thread> consumers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      consumers.add(new Thread(() -> consume(queue)));
    }
    consumers.forEach(Thread::start);
    for (int i = 0; i < 6; i++) {
      queue.put(new int[] {i});
    }
    queue.put(LAST);
    queue.put(LAST);
    for (Thread consumer : consumers) {
      consumer.join();
    }
    System.out.println(total);
  }

  private static void consume(BlockingQueue<int[]> queue) {
    try {
      int sum = 0;
      for (int[] next = queue.take(); next != LAST; next = queue.take()) {
        sum += next[0];
      }
      add(sum);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
