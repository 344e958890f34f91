// expect: validated
import java.util.ArrayList;
import java.util.stream.IntStream;

final class CollectShared {

  public static void main(String[] arguments) throws Exception {
    int size = IntStream.range(0, 1000).parallel().boxed().collect(
        () -> new ArrayList<Integer>(), (list, i) -> list.add(i), (one, other) -> one.addAll(other)).size();
    System.out.println(size);
  }
}
