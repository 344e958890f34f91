// expect: validated
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/** What was put first is taken first. */
final class StackOfThreads {

  public static void main(String[] arguments) throws Exception {
    BlockingDeque<Integer> stack = new LinkedBlockingDeque<>();
    Thread producer = new Thread(() -> {
      stack.addLast(1);
      stack.addLast(2);
    });
    producer.start();
    int first = stack.take();
    int second = stack.take();
    producer.join();
  }
}
