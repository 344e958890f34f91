// expect: lock-ordered queue
// expect: not validated
import java.util.concurrent.SynchronousQueue;

/** How often the element is refused depends on when somebody begins to wait for it. */
final class OfferedToNobody {

  public static void main(String[] arguments) throws Exception {
    SynchronousQueue<Integer> queue = new SynchronousQueue<>();
    Thread producer = new Thread(() -> {
      int refused = 0;
      while (!queue.offer(1)) {
        refused++;
        Thread.onSpinWait();
      }
    });
    producer.start();
    int taken = queue.take();
    producer.join();
  }
}
