// expect: anomaly message[*] WRITE-READ
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** The message is written after it was handed over, too. */
final class HandOver {

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<int[]> queue = new ArrayBlockingQueue<>(2);
    Thread producer = new Thread(() -> {
      int[] message = new int[1];
      try {
        queue.put(message);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      message[0] = 1;
    });
    producer.start();
    int[] taken = queue.take();
    int sum = taken[0];
    producer.join();
  }
}
