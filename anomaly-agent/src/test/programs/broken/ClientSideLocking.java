// expect: anomaly list WRITE-READ
// expect: anomaly list WRITE-WRITE
import java.util.ArrayList;
import java.util.List;

/** One checks and adds under another lock. */
final class ClientSideLocking {
  private static final Object OTHER = new Object();

  static void addIfAbsent(List<Integer> list, Object lock, int value) {
    synchronized (lock) {
      if (!list.contains(value)) {
        list.add(value);
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new ArrayList<>();
    Thread other = new Thread(() -> addIfAbsent(list, list, 1));
    other.start();
    addIfAbsent(list, OTHER, 2);
    other.join();
    System.out.println(list.size() + (OTHER == null ? 1 : 0));
  }
}
