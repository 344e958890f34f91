// expect: validated
import java.util.TreeMap;

/** One thread asks for the length of a text that another appends to its own. */
final class AppendedText {
  public static void main(String[] arguments) throws Exception {
    StringBuilder text = new StringBuilder("text");
    StringBuilder other = new StringBuilder("other");
    TreeMap<String, Integer> sizes = new TreeMap<>();
    Thread writer = new Thread(() -> sizes.put("text", text.length()));
    Thread reader = new Thread(() -> other.append(text));
    writer.start();
    reader.start();
    writer.join();
    reader.join();
    sizes.putAll(new TreeMap<>(sizes));
    System.out.println(other.length() + sizes.size() > 1);
  }
}
