// expect: anomaly names WRITE-READ
import java.util.ArrayList;
import java.util.List;

/** One thread adds to a list of which another makes a copy. */
final class CopiedList {
  public static void main(String[] arguments) throws Exception {
    List<String> names = new ArrayList<>(List.of("a", "b"));
    List<String> others = new ArrayList<>();
    List<String> copy = new ArrayList<>();
    Thread writer = new Thread(() -> names.add("c"));
    Thread reader = new Thread(() -> copy.addAll(names));
    writer.start();
    reader.start();
    writer.join();
    reader.join();
    System.out.println(copy.size() + others.size() > 1);
  }
}
