// expect: validated
import java.util.ArrayList;
import java.util.List;

/** Two threads make copies of a list. */
final class CopiedList {
  public static void main(String[] arguments) throws Exception {
    List<String> names = new ArrayList<>(List.of("a", "b"));
    List<String> others = new ArrayList<>();
    List<String> copy = new ArrayList<>();
    Thread writer = new Thread(() -> others.addAll(names));
    Thread reader = new Thread(() -> copy.addAll(names));
    writer.start();
    reader.start();
    writer.join();
    reader.join();
    System.out.println(copy.size() + others.size() > 1);
  }
}
