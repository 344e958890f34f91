// expect: validated
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** What was put first is taken first. */
final class SortedQueue {

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
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
