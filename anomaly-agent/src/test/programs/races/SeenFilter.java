// expect: anomaly seen WRITE-WRITE
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/** A filter that remembers what it let through. */
final class SeenFilter {

  public static void main(String[] arguments) throws Exception {
    Set<Integer> seen = new HashSet<>();
    int[] unique = IntStream.range(0, 100).map(i -> i % 10).parallel().filter(i -> seen.add(i)).toArray();
    System.out.println(unique.length);
  }
}
