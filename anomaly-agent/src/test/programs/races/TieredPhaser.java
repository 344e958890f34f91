// expect: anomaly left[*] WRITE-READ
import java.util.concurrent.Phaser;

/** Each thread waits at its own phaser, but the two do not belong together. */
final class TieredPhaser {

  public static void main(String[] arguments) throws Exception {
    int[] left = new int[2];
    int[] right = new int[2];
    Thread[] threads = new Thread[2];
    for (int t = 0; t < 2; t++) {
      int k = t;
      Phaser phaser = new Phaser(1);
      threads[t] = new Thread(() -> {
        left[k] = k;
        phaser.arriveAndAwaitAdvance();
        right[k] = left[1 - k];
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
