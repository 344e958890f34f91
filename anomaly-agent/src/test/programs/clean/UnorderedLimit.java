// expect: validated
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The smallest of a set. */
final class UnorderedLimit {

  public static void main(String[] arguments) throws Exception {
    Set<Integer> all = new HashSet<>(IntStream.range(0, 1000).boxed().toList());
    List<Integer> some = all.parallelStream().filter(i -> i % 3 == 0).sorted().limit(3).toList();
    int first = IntStream.range(0, 1000).parallel().filter(i -> i % 7 == 6).findFirst().orElse(0);
  }
}
