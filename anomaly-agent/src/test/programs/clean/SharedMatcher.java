// expect: validated
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Each has a matcher of its own. */
final class SharedMatcher {

  public static void main(String[] arguments) throws Exception {
    Pattern digit = Pattern.compile("[0-9]");
    boolean[] found = new boolean[20];
    IntStream.range(0, 20).parallel().forEach(i -> found[i] = digit.matcher("a1").find());
  }
}
