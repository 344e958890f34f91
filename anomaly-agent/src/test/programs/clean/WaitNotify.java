// expect: validated
import java.util.concurrent.CountDownLatch;

/** The latch does what the monitor was meant for. */
final class WaitNotify {
  private static int stage;

  public static void main(String[] arguments) throws Exception {
    CountDownLatch set = new CountDownLatch(1);
    Thread other = new Thread(() -> {
      stage = 1;
      set.countDown();
    });
    other.start();
    set.await();
    System.out.println(stage);
    other.join();
  }
}
