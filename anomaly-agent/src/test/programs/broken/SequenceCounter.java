// expect: anomaly SequenceCounter.RING[*] WRITE-READ
// expect: lock-ordered SequenceCounter.WRITTEN
import java.util.concurrent.atomic.AtomicLong;

/** The counter is raised before the slot is written. */
final class SequenceCounter {
  private static final int[] RING = new int[8];
  private static final AtomicLong WRITTEN = new AtomicLong();

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      for (int i = 0; i < 8; i++) {
        WRITTEN.set(i + 1L);
        RING[i] = i + 1;
      }
    });
    writer.start();
    int sum = 0;
    long read = 0;
    while (read < 8) {
      long written = WRITTEN.get();
      while (read < written) {
        sum += RING[(int) read];
        read++;
      }
    }
    writer.join();
    System.out.println(sum);
  }
}
