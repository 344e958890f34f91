// expect: validated
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Each step makes a list of its own. */
final class ReduceMutable {

  public static void main(String[] arguments) throws Exception {
    List<Integer> result = IntStream.range(0, 50).parallel().boxed().reduce(
        List.of(),
        (list, i) -> {
          List<Integer> longer = new ArrayList<>(list);
          longer.add(i);
          return longer;
        },
        (one, other) -> {
          List<Integer> both = new ArrayList<>(one);
          both.addAll(other);
          return both;
        });
    System.out.println(result.isEmpty());
  }
}
