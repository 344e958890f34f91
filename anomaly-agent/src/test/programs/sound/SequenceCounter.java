// expect: lock-ordered SequenceCounter.RING[*]
// expect: lock-ordered SequenceCounter.WRITTEN
// expect: not validated
import java.util.concurrent.atomic.AtomicLong;

/** A ring of one writer and one reader, with a counter of what is written. */
final class SequenceCounter {
  private static final int[] RING = new int[8];
  private static final AtomicLong WRITTEN = new AtomicLong();

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      for (int i = 0; i < 8; i++) {
        RING[i] = i + 1;
        WRITTEN.set(i + 1L);
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
