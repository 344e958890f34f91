// expect: validated
import java.util.ArrayList;
import java.util.List;

/** The element is set before another thread goes through the list. */
final class SetWhileIterating {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
    int[] sum = new int[1];
    Thread writer = new Thread(() -> list.set(2, 30));
    writer.start();
    writer.join();
    Thread reader = new Thread(() -> list.forEach(n -> sum[0] += n));
    reader.start();
    reader.join();
  }
}
