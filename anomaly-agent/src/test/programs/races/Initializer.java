// expect: anomaly Initializer.Settings.value WRITE-WRITE
import java.util.stream.IntStream;

/** Initialised by hand where it is used; the class initialiser would have been safe. */
final class Initializer {
  static final class Settings {
    static int value;

    static int get() {
      value = 42;
      return value;
    }
  }

  public static void main(String[] arguments) throws Exception {
    int[] results = new int[20];
    IntStream.range(0, 20).parallel().forEach(i -> results[i] = Settings.get() + i);
  }
}
