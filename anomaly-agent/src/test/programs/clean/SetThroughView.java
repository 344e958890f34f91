// expect: validated
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Each sets an element of its own. */
final class SetThroughView {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new ArrayList<>(Collections.nCopies(20, 0));
    IntStream.range(0, 20).parallel().forEach(i -> list.set(i, i));
  }
}
