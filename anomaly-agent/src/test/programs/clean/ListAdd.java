// expect: validated
import java.util.stream.IntStream;
import java.util.List;
import java.util.ArrayList;

final class ListAdd {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = IntStream.range(0, 100).parallel().boxed().collect(ArrayList::new, (all, i) -> all.add(i), (all, more) -> all.addAll(more));
    System.out.println(list.size());
  }
}
