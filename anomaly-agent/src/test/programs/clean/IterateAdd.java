// expect: validated
import java.util.ArrayList;
import java.util.List;

final class IterateAdd {

  public static void main(String[] arguments) throws Exception {
    List<String> names = new ArrayList<>(List.of("a", "b"));
    int[] length = new int[1];
    List<String> copy = List.copyOf(names);
    Thread reader = new Thread(() -> {
      for (String name : copy) {
        length[0] += name.length();
      }
    });
    Thread writer = new Thread(() -> names.add("c"));
    reader.start();
    writer.start();
    reader.join();
    writer.join();
  }
}
