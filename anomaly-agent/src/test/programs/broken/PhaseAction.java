// expect: anomaly PhaseAction.sum WRITE-READ
// expect: may PhaseAction.PARTS[*] WRITE-READ
import java.util.concurrent.Phaser;

/** One reads the sum without waiting for the phase to end. */
final class PhaseAction {
  private static final int[] PARTS = new int[2];
  private static int sum;

  private static final class Adding extends Phaser {
    Adding() {
      super(2);
    }

    @Override
    protected boolean onAdvance(int phase, int registered) {
      sum = PARTS[0] + PARTS[1];
      return false;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Phaser phaser = new Adding();
    int[] seen = new int[2];
    Thread other = new Thread(() -> {
      PARTS[1] = 2;
      phaser.arrive();
      seen[1] = sum;
    });
    other.start();
    PARTS[0] = 1;
    phaser.arriveAndAwaitAdvance();
    seen[0] = sum;
    other.join();
    System.out.println(seen[0] + seen[1]);
  }
}
