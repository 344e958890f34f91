import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.reprise.anomaly.hooks.Hooks;

/** Takes verdicts while a thread has still something to do, and prints each in a line. */
final class LeftRunning {
  static int count;

  public static void main(String[] arguments) throws Exception {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    Thread thread = new Thread(() -> increment(mayGoOn));
    thread.start();
    take();
    take();
    mayGoOn.countDown();
    count++;
    thread.join();
    take();
    take();
  }

  private static void increment(CountDownLatch mayGoOn) {
    try {
      mayGoOn.await();
      count++;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void take() {
    List<String> lines = Hooks.takeVerdictLines();
    System.out.println(String.join(" | ", lines));
  }
}
