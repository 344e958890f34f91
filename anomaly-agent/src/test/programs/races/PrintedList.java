// expect: anomaly names WRITE-READ
import java.util.ArrayList;
import java.util.List;

/** One thread adds to a list of which another makes a text. */
final class PrintedList {
  public static void main(String[] arguments) throws Exception {
    List<String> names = new ArrayList<>(List.of("a", "b"));
    List<String> others = new ArrayList<>(List.of("a", "b"));
    String[] texts = new String[1];
    Thread writer = new Thread(() -> names.add("c"));
    Thread reader = new Thread(() -> texts[0] = names + "?" + others.equals(names));
    writer.start();
    reader.start();
    writer.join();
    reader.join();
    System.out.println(texts[0].length() > 1);
  }
}
