// expect: lock-ordered queue
// expect: not validated
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** How much is drained depends on how far the producer is, but what is drained was written. */
final class DrainedQueue {

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<int[]> queue = new LinkedBlockingQueue<>();
    Thread producer = new Thread(() -> {
      for (int i = 0; i < 20; i++) {
        int[] message = new int[1];
        message[0] = i;
        queue.add(message);
      }
    });
    producer.start();
    List<int[]> messages = new ArrayList<>();
    while (messages.size() < 20) {
      queue.drainTo(messages);
    }
    int sum = 0;
    for (int[] message : messages) {
      sum += message[0];
    }
    producer.join();
  }
}
