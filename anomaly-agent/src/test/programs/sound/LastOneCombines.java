// expect: lock-ordered LastOneCombines.LEFT
// expect: lock-ordered LastOneCombines.PARTS[*]
// expect: not validated
import java.util.concurrent.atomic.AtomicInteger;

/** Who counts down to nothing is after all others, and combines. */
final class LastOneCombines {
  private static final AtomicInteger LEFT = new AtomicInteger(2);
  private static final int[] PARTS = new int[2];
  private static int sum;

  private static void work(int own) {
    PARTS[own] = own + 1;
    if (LEFT.decrementAndGet() == 0) {
      sum = PARTS[0] + PARTS[1];
    }
  }

  public static void main(String[] arguments) throws Exception {
    Thread one = new Thread(() -> work(0));
    Thread two = new Thread(() -> work(1));
    one.start();
    two.start();
    one.join();
    two.join();
    System.out.println(sum);
  }
}
