// expect: anomaly Listeners.listeners WRITE-READ
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The list is no list for many threads. */
final class Listeners {
  private final List<Runnable> listeners = new ArrayList<>();
  private final List<Runnable> none = new ArrayList<>();

  void tell() {
    for (Runnable listener : listeners) {
      listener.run();
    }
    none.size();
  }

  public static void main(String[] arguments) throws Exception {
    Listeners source = new Listeners();
    Thread other = new Thread(() -> source.listeners.add(() -> {}));
    other.start();
    source.tell();
    other.join();
    source.tell();
  }
}
