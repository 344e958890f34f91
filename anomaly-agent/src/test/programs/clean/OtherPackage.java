// expect: validated
import java.util.stream.IntStream;
import suite.lib.Memo;

/** A cache for each iteration. */
final class OtherPackage {

  public static void main(String[] arguments) throws Exception {
    long[] results = new long[20];
    IntStream.range(0, 20).parallel().forEach(i -> results[i] = new Memo().square(i % 5));
  }
}
