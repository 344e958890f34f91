// expect: validated
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

final class Deques {

  public static void main(String[] arguments) throws Exception {
    BlockingDeque<Integer> work = new LinkedBlockingDeque<>();
    Thread producer = new Thread(() -> work.addLast(1));
    producer.start();
    int first = work.takeFirst();
    producer.join();
    System.out.println(first);
  }
}
