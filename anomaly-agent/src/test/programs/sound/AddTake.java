// expect: lock-ordered queue
// expect: not validated
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Whether there is room in the queue depends on who is faster; what is taken was filled. */
final class AddTake {
  public static void main(String[] arguments) throws Exception {
    BlockingQueue<int[]> queue = new ArrayBlockingQueue<>(4);
    Thread producer = new Thread(() -> {
      for (int i = 0; i < 4; i++) {
        int[] element = new int[1];
        element[0] = i;
        queue.add(element);
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
