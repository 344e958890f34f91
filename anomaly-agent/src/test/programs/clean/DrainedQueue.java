// expect: validated
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** The queue is drained when all that will be put is in it. */
final class DrainedQueue {

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<int[]> queue = new LinkedBlockingQueue<>();
    CountDownLatch all = new CountDownLatch(1);
    Thread producer = new Thread(() -> {
      for (int i = 0; i < 20; i++) {
        int[] message = new int[1];
        message[0] = i;
        queue.add(message);
      }
      all.countDown();
    });
    producer.start();
    all.await();
    List<int[]> messages = new ArrayList<>();
    queue.drainTo(messages);
    int sum = 0;
    for (int[] message : messages) {
      sum += message[0];
    }
    producer.join();
    if (sum != 190) {
      throw new IllegalStateException();
    }
  }
}
