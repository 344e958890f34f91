// expect: anomaly the result of Stream.reduce() NOT-AN-IDENTITY
import java.util.List;

/** Each part of the stream begins with 1. */
final class ReduceThree {
  public static void main(String[] arguments) {
    List<String> words = List.of("one", "two", "three", "four");
    int letters = words.parallelStream().reduce(1, (n, word) -> n + word.length(), Integer::sum);
    System.out.println(letters > 0);
  }
}
