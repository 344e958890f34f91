// expect: not validated a stream without an order of which some elements are taken
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Some of a set, whichever come first. */
final class UnorderedLimit {

  public static void main(String[] arguments) throws Exception {
    Set<Integer> all = new HashSet<>(IntStream.range(0, 1000).boxed().toList());
    List<Integer> some = all.parallelStream().filter(i -> i % 3 == 0).limit(3).toList();
  }
}
