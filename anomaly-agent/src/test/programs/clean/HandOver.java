// expect: validated
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Nobody writes a message that was handed over. */
final class HandOver {

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<int[]> queue = new ArrayBlockingQueue<>(2);
    Thread producer = new Thread(() -> {
      int[] message = new int[1];
      message[0] = 1;
      try {
        queue.put(message);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    producer.start();
    int[] taken = queue.take();
    int sum = taken[0];
    producer.join();
  }
}
