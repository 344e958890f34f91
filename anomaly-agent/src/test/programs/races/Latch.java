// expect: anomaly results[*] WRITE-READ
import java.util.concurrent.CountDownLatch;

final class Latch {

  public static void main(String[] arguments) throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    int[] results = new int[2];
    Thread one = new Thread(() -> {
      results[0] = 1;
      latch.countDown();
    });
    Thread two = new Thread(() -> results[1] = 1);
    one.start();
    two.start();
    latch.await();
    int sum = results[0] + results[1];
    one.join();
    two.join();
    if (sum > 2) {
      throw new IllegalStateException();
    }
  }
}
