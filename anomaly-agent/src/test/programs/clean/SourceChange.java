// expect: validated
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A copy is changed. */
final class SourceChange {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new ArrayList<>();
    IntStream.range(0, 100).forEach(list::add);
    List<Integer> next = new ArrayList<>(list);
    list.parallelStream().forEach(i -> next.set((i + 1) % 100, i));
  }
}
