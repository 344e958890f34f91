// expect: anomaly work WRITE-WRITE
import java.util.ArrayDeque;
import java.util.Deque;

/** A deque for one thread, between two. */
final class Deques {

  public static void main(String[] arguments) throws Exception {
    Deque<Integer> work = new ArrayDeque<>();
    Thread producer = new Thread(() -> work.addLast(1));
    producer.start();
    Integer first = work.pollFirst();
    producer.join();
    System.out.println(first == null || first == 1);
  }
}
