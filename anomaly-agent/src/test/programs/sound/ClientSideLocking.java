// expect: lock-ordered list
// expect: not validated
import java.util.ArrayList;
import java.util.List;

/** All who check and then add hold the lock of the list. */
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
    addIfAbsent(list, list, 2);
    other.join();
    System.out.println(list.size() + (OTHER == null ? 1 : 0));
  }
}
