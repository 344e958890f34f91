// expect: anomaly numbers WRITE-WRITE
// expect: anomaly names WRITE-WRITE
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** Who gets which element of an iterator is schedule-dependent, whatever it goes through. */
final class SharedIterator {

  public static void main(String[] arguments) throws Exception {
    Iterator<Integer> numbers = List.of(1, 2, 3, 4).iterator();
    Iterator<String> names = Collections.unmodifiableList(List.of("a", "b")).iterator();
    Object[] got = new Object[4];
    Thread one = new Thread(() -> {
      got[0] = numbers.next();
      got[1] = names.next();
    });
    Thread two = new Thread(() -> {
      got[2] = numbers.next();
      got[3] = names.next();
    });
    one.start();
    two.start();
    one.join();
    two.join();
  }
}
