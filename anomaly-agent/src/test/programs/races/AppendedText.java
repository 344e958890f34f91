// expect: anomaly text WRITE-READ
import java.util.TreeMap;

/** One thread appends to a text that another appends to its own. */
final class AppendedText {
  public static void main(String[] arguments) throws Exception {
    StringBuilder text = new StringBuilder("text");
    StringBuilder other = new StringBuilder("other");
    TreeMap<String, Integer> sizes = new TreeMap<>();
    Thread writer = new Thread(() -> text.append("."));
    Thread reader = new Thread(() -> other.append(text));
    writer.start();
    reader.start();
    writer.join();
    reader.join();
    sizes.putAll(new TreeMap<>(sizes));
    System.out.println(other.length() + sizes.size() > 1);
  }
}
