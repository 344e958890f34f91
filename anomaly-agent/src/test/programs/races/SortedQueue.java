// expect: lock-ordered queue
// expect: not validated
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;

/** What is taken first depends on what has been put by then. */
final class SortedQueue {

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<Integer> queue = new PriorityBlockingQueue<>();
    Thread producer = new Thread(() -> {
      queue.add(3);
      queue.add(1);
    });
    producer.start();
    int first = queue.take();
    int second = queue.take();
    producer.join();
  }
}
