// expect: lock-ordered Listeners.listeners
// expect: not validated
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Listeners may be added while others are told. */
final class Listeners {
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
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
