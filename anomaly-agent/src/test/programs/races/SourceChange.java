// expect: anomaly list[*] WRITE-READ
import java.util.ArrayList;
import java.util.List;

/** Elements of the list are exchanged while a stream goes through it. */
final class SourceChange {
  record Item(int index) {}

  public static void main(String[] arguments) throws Exception {
    List<Item> list = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      list.add(new Item(i));
    }
    list.parallelStream().forEach(item -> list.set((item.index() + 1) % 100, new Item((item.index() + 1) % 100)));
  }
}
