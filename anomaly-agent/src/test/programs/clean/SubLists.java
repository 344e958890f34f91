// expect: validated
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

final class SubLists {

  public static void main(String[] arguments) throws Exception {
    List<Integer> numbers = new ArrayList<>(Collections.nCopies(20, 1));
    List<Integer> low = new ArrayList<>(numbers.subList(0, 10));
    Thread one = new Thread(() -> low.clear());
    Thread two = new Thread(() -> numbers.add(5));
    one.start();
    two.start();
    one.join();
    two.join();
  }
}
