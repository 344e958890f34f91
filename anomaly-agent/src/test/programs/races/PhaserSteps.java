// expect: anomaly left[*] WRITE-READ
import java.util.concurrent.Phaser;

/** The second phase reads what the neighbour writes in it. */
final class PhaserSteps {

  public static void main(String[] arguments) throws Exception {
    int[] left = new int[3];
    Phaser phaser = new Phaser(3);
    Thread[] threads = new Thread[3];
    for (int t = 0; t < 3; t++) {
      int k = t;
      threads[t] = new Thread(() -> {
        phaser.arriveAndAwaitAdvance();
        left[k] = left[(k + 1) % 3] + 1;
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
