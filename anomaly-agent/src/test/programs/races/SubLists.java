// expect: anomaly low WRITE-WRITE
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Parts of one list that overlap, cleared by two threads. */
final class SubLists {

  public static void main(String[] arguments) throws Exception {
    List<Integer> numbers = new ArrayList<>(Collections.nCopies(20, 1));
    List<Integer> low = numbers.subList(0, 10);
    Thread one = new Thread(() -> low.clear());
    Thread two = new Thread(() -> numbers.add(5));
    one.start();
    two.start();
    one.join();
    two.join();
  }
}
