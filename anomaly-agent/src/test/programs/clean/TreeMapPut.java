// expect: validated
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

final class TreeMapPut {

  public static void main(String[] arguments) throws Exception {
    TreeMap<Integer, Integer> index =
        IntStream.range(0, 40).parallel().boxed().collect(Collectors.toMap(i -> i, i -> i, (a, b) -> a, TreeMap::new));
    System.out.println(index.size());
  }
}
