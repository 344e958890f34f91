import java.lang.instrument.Instrumentation;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Somebody redefines the class while its loop runs again and again: each iteration runs once. */
public class Redefined {
  private static final int TIMES = 40;

  private static Instrumentation instrumentation;

  public static void premain(String options, Instrumentation given) {
    instrumentation = given;
  }

  public static void main(String[] arguments) throws Exception {
    int[] counts = new int[100];
    for (int time = 0; time < TIMES; time++) {
      if (time == TIMES / 2) {
        instrumentation.retransformClasses(Redefined.class);
      }
      IntStream.range(0, counts.length).parallel().forEach(i -> counts[i]++);
    }
    System.out.println(Arrays.stream(counts).filter(count -> count == TIMES).count());
  }
}
