// expect: anomaly list WRITE-WRITE
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** forEach where the order of the stream was meant. */
final class Ordered {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new ArrayList<>(4096);
    IntStream.range(0, 100).parallel().forEach(list::add);
  }
}
