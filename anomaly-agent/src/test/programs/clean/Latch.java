// expect: validated
import java.util.concurrent.CountDownLatch;

final class Latch {

  public static void main(String[] arguments) throws Exception {
    CountDownLatch latch = new CountDownLatch(2);
    int[] results = new int[2];
    for (int i = 0; i < 2; i++) {
      int k = i;
      new Thread(() -> {
        results[k] = k;
        latch.countDown();
      }).start();
    }
    latch.await();
    int sum = results[0] + results[1];
    if (sum != 1) {
      throw new IllegalStateException();
    }
  }
}
