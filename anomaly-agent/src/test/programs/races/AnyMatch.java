// expect: not validated a write in a short-circuiting stream, which may leave this element out
import java.util.stream.IntStream;

/** Which elements are looked at before one matches is schedule-dependent. */
final class AnyMatch {

  public static void main(String[] arguments) throws Exception {
    boolean[] visited = new boolean[1000];
    boolean found = IntStream.range(0, 1000).parallel().anyMatch(i -> {
      visited[i] = true;
      return i % 7 == 6;
    });
    System.out.println(found);
  }
}
