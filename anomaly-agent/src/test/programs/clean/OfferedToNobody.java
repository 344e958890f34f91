// expect: validated
import java.util.concurrent.SynchronousQueue;

/** Who puts waits until somebody takes. */
final class OfferedToNobody {

  public static void main(String[] arguments) throws Exception {
    SynchronousQueue<int[]> queue = new SynchronousQueue<>();
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
    int taken = queue.take()[0];
    producer.join();
    if (taken != 1) {
      throw new IllegalStateException();
    }
  }
}
