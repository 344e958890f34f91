// expect: validated
import java.util.concurrent.Phaser;

final class PhaserSteps {

  public static void main(String[] arguments) throws Exception {
    int[] left = new int[3];
    int[] right = new int[3];
    Phaser phaser = new Phaser(3);
    Thread[] threads = new Thread[3];
    for (int t = 0; t < 3; t++) {
      int k = t;
      threads[t] = new Thread(() -> {
        for (int step = 0; step < 3; step++) {
          left[k] = right[(k + 1) % 3] + 1;
          phaser.arriveAndAwaitAdvance();
          right[k] = left[(k + 2) % 3];
          phaser.arriveAndAwaitAdvance();
        }
        phaser.arriveAndDeregister();
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
