// expect: validated
import java.lang.ref.Cleaner;
import java.util.stream.IntStream;

/** What is cleaned by hand is cleaned in the thread that says so, once. */
final class Cleaned {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final int[] data = new int[10_000];

  public static void main(String[] arguments) throws Exception {
    Object held = new Object();
    Cleaner.Cleanable cleanable = CLEANER.register(held, Cleaned::clean);
    IntStream.range(0, data.length).parallel().forEach(i -> data[i] += i);
    cleanable.clean();
    IntStream.range(0, data.length).parallel().forEach(i -> data[i] += i);
    if (held.equals(data)) {
      throw new IllegalStateException();
    }
  }

  private static void clean() {
    for (int i = 0; i < data.length; i++) {
      data[i] = 0;
    }
  }
}
