// expect: anomaly matcher WRITE-WRITE
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A matcher goes on from where the last one stopped. */
final class SharedMatcher {

  public static void main(String[] arguments) throws Exception {
    Matcher matcher = Pattern.compile("[0-9]").matcher("12345678901234567890");
    IntStream.range(0, 20).parallel().forEach(i -> matcher.find());
  }
}
