// expect: anomaly list WRITE-WRITE
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** reduce with a container that is changed: one identity for all leaves. */
final class ReduceMutable {

  public static void main(String[] arguments) throws Exception {
    List<Integer> result = IntStream.range(0, 1000).parallel().boxed().reduce(
        new ArrayList<Integer>(4096),
        (list, i) -> {
          list.add(i);
          return list;
        },
        (one, other) -> one);
    System.out.println(result.isEmpty());
  }
}
