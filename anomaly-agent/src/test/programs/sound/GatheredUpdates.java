// expect: lock-ordered GatheredUpdates.names
// expect: lock-ordered after
// expect: not validated
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A list is never changed, only replaced by a longer one. */
final class GatheredUpdates {
  private final AtomicReference<List<String>> names = new AtomicReference<>(new ArrayList<>());

  private static final class Statistics {
    private int calls;
  }

  private void add(String name, Statistics statistics) {
    names.updateAndGet(
        before -> {
          int calls = statistics.calls;
          List<String> after = new ArrayList<>(before);
          after.add(name);
          return after;
        });
  }

  public static void main(String[] arguments) throws Exception {
    GatheredUpdates gathered = new GatheredUpdates();
    Statistics statistics = new Statistics();
    Thread[] threads = new Thread[3];
    for (int i = 0; i < threads.length; i++) {
      String name = "thread " + i;
      threads[i] = new Thread(() -> gathered.add(name, statistics));
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(gathered.names.get().size());
  }
}
