// expect: lock-ordered list
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** Elements stand in the list as they came. */
final class CopyOnWrite {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new CopyOnWriteArrayList<>();
    IntStream.range(0, 20).parallel().forEach(i -> list.add(i));
  }
}
