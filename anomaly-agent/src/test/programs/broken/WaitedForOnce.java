// expect: lock-ordered WaitedForOnce.step
// expect: not validated
import java.util.concurrent.CountDownLatch;

/** Who looks after the second write waits forever; the latch only keeps this run from it. */
final class WaitedForOnce {
  private static final CountDownLatch LEFT = new CountDownLatch(1);
  private static volatile int step;
  private static int data;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      data = 3;
      step = 1;
      while (LEFT.getCount() > 0) {
        Thread.onSpinWait();
      }
      step = 2;
    });
    writer.start();
    while (step != 1) {
      Thread.onSpinWait();
    }
    System.out.println(data);
    LEFT.countDown();
    writer.join();
  }
}
