// expect: lock-ordered queue
// expect: not validated
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** What does not fit is dropped. */
final class FullQueue {

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
    Thread producer = new Thread(() -> {
      queue.offer(1);
      queue.offer(2);
    });
    producer.start();
    int first = queue.take();
    producer.join();
  }
}
