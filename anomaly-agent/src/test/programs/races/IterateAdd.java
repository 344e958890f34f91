// expect: anomaly names WRITE-READ
import java.util.ArrayList;
import java.util.List;

/** One thread goes through the list, another adds to it. */
final class IterateAdd {

  public static void main(String[] arguments) throws Exception {
    List<String> names = new ArrayList<>(List.of("a", "b"));
    int[] length = new int[1];
    Thread reader = new Thread(() -> {
      for (int i = 0; i < 1; i++) {
        length[0] += names.get(i).length();
      }
    });
    Thread writer = new Thread(() -> names.add("c"));
    reader.start();
    writer.start();
    reader.join();
    writer.join();
  }
}
