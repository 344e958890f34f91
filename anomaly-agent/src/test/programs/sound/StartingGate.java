// expect: validated
import java.util.concurrent.CountDownLatch;

/** Workers begin together, and their results are read behind the ending gate. */
final class StartingGate {
  public static void main(String[] arguments) throws Exception {
    int workers = 3;
    CountDownLatch starts = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(workers);
    int[] input = {0};
    int[] results = new int[workers];
    for (int i = 0; i < workers; i++) {
      int own = i;
      new Thread(() -> {
        try {
          starts.await();
          results[own] = input[0] + own;
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        } finally {
          ends.countDown();
        }
      }).start();
    }
    input[0] = 7;
    starts.countDown();
    int early = 0;
    ends.await();
    System.out.println(early + results[0] + results[1] + results[2]);
  }
}
