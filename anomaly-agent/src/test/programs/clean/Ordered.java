// expect: validated
import java.util.stream.IntStream;
import java.util.List;
import java.util.ArrayList;

final class Ordered {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new ArrayList<>();
    IntStream.range(0, 200).parallel().mapToObj(i -> i * 2).forEachOrdered(list::add);
    System.out.println(list.size());
  }
}
