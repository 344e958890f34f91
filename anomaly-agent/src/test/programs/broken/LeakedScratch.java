// expect: anomaly LeakedScratch.left[*] WRITE-READ
// expect: may LeakedScratch.left WRITE-READ
// expect: not validated call of ThreadLocal.get()
import java.util.concurrent.CountDownLatch;

/** A thread leaves its scratch array where another finds it. */
final class LeakedScratch {
  private static final ThreadLocal<int[]> SCRATCH = ThreadLocal.withInitial(() -> new int[4]);
  private static int[] left = new int[4];

  public static void main(String[] arguments) throws Exception {
    CountDownLatch isLeft = new CountDownLatch(1);
    Thread one = new Thread(() -> {
      int[] own = SCRATCH.get();
      leave(own);
      isLeft.countDown();
      own[0] = 5;
    });
    one.start();
    isLeft.await();
    int seen = left[0];
    one.join();
    System.out.println(seen >= 0);
  }

  private static void leave(int[] own) {
    left = own;
  }
}
