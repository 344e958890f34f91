// expect: anomaly EnumSwitch.Step.used WRITE-READ
// expect: anomaly EnumSwitch.Step.used WRITE-WRITE
import java.util.stream.IntStream;

/** A constant has a field that all change. */
final class EnumSwitch {
  private enum Step {
    UP,
    DOWN;

    private int used;

    int used() {
      return used;
    }

    int use() {
      return ++used;
    }
  }

  private static int value(Step step) {
    switch (step) {
      case UP:
        return 1;
      default:
        return -1;
    }
  }

  public static void main(String[] arguments) {
    int[] results = new int[40];
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> results[i] = value(Step.values()[i % 2]) * Step.UP.use());
    System.out.println(results[39] + Step.DOWN.use());
  }
}
