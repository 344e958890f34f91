// expect: lock-ordered AskedQueue.QUEUE
// expect: anomaly AskedQueue.result WRITE-READ
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The result is read before the queue is asked. */
final class AskedQueue {
  private static final Queue<String> QUEUE = new ConcurrentLinkedQueue<>();
  private static int result;

  public static void main(String[] arguments) throws Exception {
    Thread producer = new Thread(() -> {
      result = 5;
      QUEUE.add("done");
    });
    producer.start();
    int sum = result;
    while (QUEUE.isEmpty()) {
      Thread.onSpinWait();
    }

    producer.join();
    System.out.println(sum);
  }
}
