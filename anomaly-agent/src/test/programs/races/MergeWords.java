// expect: lock-ordered words[*]
// expect: not validated
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Texts do not commute. */
final class MergeWords {

  public static void main(String[] arguments) throws Exception {
    Map<String, String> words = new ConcurrentHashMap<>();
    IntStream.range(0, 20).parallel().forEach(i -> words.merge("k", "x" + i, String::concat));
  }
}
