// expect: lock-ordered AskedQueue.QUEUE
// expect: lock-ordered AskedQueue.result
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Who finds that a queue is no longer empty sees what was done before something was put there. */
final class AskedQueue {
  private static final Queue<String> QUEUE = new ConcurrentLinkedQueue<>();
  private static int result;

  public static void main(String[] arguments) throws Exception {
    Thread producer = new Thread(() -> {
      result = 5;
      QUEUE.add("done");
    });
    producer.start();
    int sum = 0;
    while (QUEUE.isEmpty()) {
      Thread.onSpinWait();
    }
    sum += result;
    producer.join();
    System.out.println(sum);
  }
}
