// expect: anomaly BlockingQueue.take()[*] WRITE-READ
// expect: lock-ordered queue
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** An element is filled after it was added. */
final class AddTake {
  public static void main(String[] arguments) throws Exception {
    BlockingQueue<int[]> queue = new ArrayBlockingQueue<>(4);
    Thread producer = new Thread(() -> {
      for (int i = 0; i < 4; i++) {
        int[] element = new int[1];
        queue.add(element);
        element[0] = i;
      }
    });
    producer.start();
    int sum = 0;
    for (int i = 0; i < 4; i++) {
      sum += queue.take()[0];
    }
    producer.join();
    System.out.println(sum);
  }
}
