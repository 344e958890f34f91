// expect: validated
import java.util.concurrent.Semaphore;

/** As many permits as workers: main waits for all of them. */
final class SemaphoreMutex {
  private static String left = "";
  private static String right = "";

  public static void main(String[] arguments) throws Exception {
    Semaphore done = new Semaphore(0);
    Thread one = new Thread(() -> {
      left += "a";
      done.release();
    });
    Thread two = new Thread(() -> {
      right += "b";
      done.release();
    });
    one.start();
    two.start();
    done.acquire(2);
    System.out.println(left + right);
    one.join();
    two.join();
  }
}
