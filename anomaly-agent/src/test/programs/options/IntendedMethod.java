import java.util.stream.IntStream;
import org.reprise.anomaly.hooks.Intended;

/** Everything that the method does is on purpose. */
final class IntendedMethod {
  private static int hits;

  public static void main(String[] arguments) throws Exception {
    IntStream.range(0, 20).parallel().forEach(i -> count(i));
  }

  @Intended
  private static void count(int i) {
    hits = i;
  }
}
