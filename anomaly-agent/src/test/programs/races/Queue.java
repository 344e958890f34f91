// expect: lock-ordered queue
// expect: not validated
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

final class Queue {

  public static void main(String[] arguments) throws Exception {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(4);
    Thread[] producers = new Thread[2];
    for (int t = 0; t < 2; t++) {
      int k = t;
      producers[t] = new Thread(() -> {
        try {
          queue.put(k);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
      producers[t].start();
    }
    int first = queue.take();
    queue.take();
    for (Thread producer : producers) {
      producer.join();
    }
    if (first > 1) {
      throw new IllegalStateException();
    }
  }
}
