import java.util.stream.IntStream;
import org.reprise.anomaly.hooks.Intended;

/** One counter is on purpose, the other is not. */
final class IntendedField {
  @Intended("statistics only")
  private static int hits;

  private static int sum;

  public static void main(String[] arguments) throws Exception {
    IntStream.range(0, 20).parallel().forEach(i -> {
      hits = i;
      sum = i;
    });
  }
}
