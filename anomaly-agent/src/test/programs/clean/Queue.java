// expect: validated
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

final class Queue {

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<int[]> queue = new ArrayBlockingQueue<>(4);
    Thread producer = new Thread(() -> {
      try {
        for (int i = 0; i < 10; i++) {
          queue.put(new int[] {i});
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    producer.start();
    int sum = 0;
    for (int i = 0; i < 10; i++) {
      sum += queue.take()[0];
    }
    producer.join();
    if (sum != 45) {
      throw new IllegalStateException();
    }
  }
}
