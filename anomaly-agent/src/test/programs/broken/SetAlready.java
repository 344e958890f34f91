// expect: lock-ordered SetAlready.data
// expect: lock-ordered SetAlready.isReady
// expect: not validated
import java.util.concurrent.CountDownLatch;

/** The flag was set from the start: on another schedule nobody waits, as the latch has it here. */
final class SetAlready {
  private static final CountDownLatch SET = new CountDownLatch(1);
  private static volatile boolean isReady = true;
  private static int data;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      data = 3;
      isReady = true;
      SET.countDown();
    });
    writer.start();
    while (SET.getCount() > 0) {
      Thread.onSpinWait();
    }
    while (!isReady) {
      Thread.onSpinWait();
    }
    System.out.println(data);
    writer.join();
  }
}
