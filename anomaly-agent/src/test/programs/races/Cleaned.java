// expect: not validated code outside every block that is followed
import java.lang.ref.Cleaner;
import java.util.stream.IntStream;

/** A cleaner runs when the garbage collector wants it to, beside a loop after many others. */
final class Cleaned {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final int[] data = new int[10_000];
  private static volatile int cleaned;

  public static void main(String[] arguments) throws Exception {
    drop(1);
    for (int k = 0; k < 3; k++) {
      IntStream.range(0, data.length).parallel().forEach(i -> data[i] += i);
    }
    IntStream.range(0, data.length).parallel().forEach(i -> {
      data[i] *= i;
      if (i == 7000) {
        drop(2);
      }
    });
  }

  private static void drop(int round) {
    CLEANER.register(new Object(), () -> clean(round));
    while (cleaned != round) {
      System.gc();
    }
  }

  private static void clean(int round) {
    for (int i = 0; i < data.length; i++) {
      data[i] = -round;
    }
    cleaned = round;
  }
}
