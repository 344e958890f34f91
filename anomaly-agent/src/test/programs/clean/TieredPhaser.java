// expect: validated
import java.util.concurrent.Phaser;

/** Each thread waits at its own phaser, and all advance together. */
final class TieredPhaser {

  public static void main(String[] arguments) throws Exception {
    int[] left = new int[2];
    int[] right = new int[2];
    Phaser root = new Phaser();
    Phaser[] phasers = {new Phaser(root, 1), new Phaser(root, 1)};
    Thread[] threads = new Thread[2];
    for (int t = 0; t < 2; t++) {
      int k = t;
      Phaser phaser = phasers[t];
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
