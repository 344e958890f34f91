// expect: anomaly list[*] WRITE-READ
import java.util.ArrayList;
import java.util.List;

/** One thread goes through a list of which another sets an element. */
final class SetWhileIterating {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
    int[] sum = new int[1];
    Thread reader = new Thread(() -> list.forEach(n -> sum[0] += n));
    Thread writer = new Thread(() -> list.set(2, 30));
    reader.start();
    writer.start();
    reader.join();
    writer.join();
  }
}
