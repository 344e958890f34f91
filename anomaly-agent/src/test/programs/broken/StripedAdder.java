// expect: anomaly StripedAdder.hits WRITE-WRITE
// expect: anomaly StripedAdder.hits WRITE-READ
import java.util.concurrent.atomic.LongAdder;

/** A plain field counts. */
final class StripedAdder {
  private static final LongAdder HITS = new LongAdder();
  private static long hits;

  public static void main(String[] arguments) throws Exception {
    Thread[] threads = new Thread[3];
    for (int t = 0; t < 3; t++) {
      threads[t] = new Thread(() -> {
        for (int i = 0; i < 5; i++) {
          hit();
        }
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(HITS.sum() + hits);
  }

  private static void hit() {
    hits++;
  }
}
