// expect: validated
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** What does not fit waits. */
final class FullQueue {

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
    Thread producer = new Thread(() -> {
      try {
        queue.put(1);
        queue.put(2);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    producer.start();
    int first = queue.take();
    int second = queue.take();
    producer.join();
  }
}
