// expect: anomaly StaticSetting.setting WRITE-READ
import java.util.stream.IntStream;

/** All iterations read a static field; in the last loop one writes it, after many. */
final class StaticSetting {
  private static int setting = 3;
  private static final int[] RESULTS = new int[1000];

  public static void main(String[] arguments) {
    for (int round = 0; round < 3; round++) {
      boolean isLast = round == 2;
      IntStream.range(0, RESULTS.length)
          .parallel()
          .forEach(
              i -> {
                RESULTS[i] = i * setting;
                if (isLast && i == RESULTS.length / 2 - 1) {
                  setting = i;
                }
              });
    }
    System.out.println(setting > 0 && RESULTS[10] >= 0);
  }
}
