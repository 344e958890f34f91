import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Somebody redefines the class again and again while its loops run: each iteration runs once. A
 * cleaner does it, which nobody starts, so that loops are told of before they begin.
 */
public class RedefinedBeside {
  private static final int TIMES = 3000;

  public static void premain(String options, Instrumentation given) {
    Cleaner.create().register(new Object(), () -> redefine(given));
  }

  private static void redefine(Instrumentation instrumentation) {
    try {
      for (int time = 0; time < 50; time++) {
        instrumentation.retransformClasses(RedefinedBeside.class);
      }
    } catch (UnmodifiableClassException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    int[] counts = new int[100];
    int[] pairs = new int[100];
    for (int time = 0; time < TIMES; time++) {
      if (time == TIMES / 10) {
        System.gc();
      }
      IntStream.range(0, counts.length).parallel().forEach(i -> counts[i]++);
      IntStream.range(1, pairs.length).parallel().forEach(i -> pairs[i] = pairs[i - 1]);
    }
    System.out.println(Arrays.stream(counts).filter(count -> count == TIMES).count());
  }
}
