// expect: validated
import java.util.ArrayList;
import java.util.List;

/** Two threads compare lists, and one makes a text of one. */
final class PrintedList {
  public static void main(String[] arguments) throws Exception {
    List<String> names = new ArrayList<>(List.of("a", "b"));
    List<String> others = new ArrayList<>(List.of("a", "b"));
    String[] texts = new String[1];
    Thread writer = new Thread(() -> others.equals(names));
    Thread reader = new Thread(() -> texts[0] = names + "?" + others.equals(names));
    writer.start();
    reader.start();
    writer.join();
    reader.join();
    System.out.println(texts[0].length() > 1);
  }
}
