// expect: anomaly Polled.QUEUE WRITE-WRITE
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A queue that is none for many threads. */
final class Polled {
  private static final Queue<int[]> QUEUE = new ArrayDeque<>();
  private static final Queue<int[]> NONE = new ArrayDeque<>();

  public static void main(String[] arguments) throws Exception {
    Thread producer = new Thread(() -> {
      int[] element = new int[1];
      element[0] = 5;
      QUEUE.offer(element);
    });
    producer.start();
    int[] found = QUEUE.poll();
    for (int i = 0; i < 1000 && found == null; i++) {
      found = QUEUE.poll();
    }
    producer.join();
    System.out.println(NONE.size());
  }
}
