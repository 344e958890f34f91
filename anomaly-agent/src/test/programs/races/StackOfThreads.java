// expect: lock-ordered stack
// expect: not validated
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/** The last one that was put is taken, whichever that is by then. */
final class StackOfThreads {

  public static void main(String[] arguments) throws Exception {
    BlockingDeque<Integer> stack = new LinkedBlockingDeque<>();
    Thread producer = new Thread(() -> {
      stack.push(1);
      stack.push(2);
    });
    producer.start();
    int first = stack.take();
    int second = stack.take();
    producer.join();
  }
}
