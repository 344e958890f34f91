// expect: lock-ordered AddAndDouble.value
// expect: not validated
import java.util.stream.IntStream;

/** Adding and doubling do not commute. */
final class AddAndDouble {
  private static int value;

  private static synchronized void add(int more) {
    value += more;
  }

  private static synchronized void change() {
    value *= 2;
  }

  public static void main(String[] arguments) {
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> {
          add(i);
          if (i == 20) {
            change();
          }
        });
    System.out.println(value);
  }
}
