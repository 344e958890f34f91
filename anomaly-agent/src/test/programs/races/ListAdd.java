// expect: anomaly list WRITE-WRITE
import java.util.stream.IntStream;
import java.util.List;
import java.util.ArrayList;

final class ListAdd {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new ArrayList<>(4096);
    IntStream.range(0, 100).parallel().forEach(list::add);
  }
}
