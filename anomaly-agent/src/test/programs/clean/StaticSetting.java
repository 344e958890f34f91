// expect: validated
import java.util.stream.IntStream;

/** All iterations read a static field, which is written between the loops. */
final class StaticSetting {
  private static int setting = 3;
  private static final int[] RESULTS = new int[1000];

  public static void main(String[] arguments) {
    for (int round = 0; round < 3; round++) {
      IntStream.range(0, RESULTS.length).parallel().forEach(i -> RESULTS[i] = i * setting);
      setting = round + 1;
    }
    System.out.println(setting > 0 && RESULTS[10] >= 0);
  }
}
