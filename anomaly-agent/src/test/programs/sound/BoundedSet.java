// expect: validated
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** Permits bound how much the set holds; the set is one for many threads. */
final class BoundedSet {
  public static void main(String[] arguments) throws Exception {
    Set<Integer> set = ConcurrentHashMap.newKeySet();
    Semaphore room = new Semaphore(4);
    Thread[] threads = new Thread[2];
    for (int t = 0; t < 2; t++) {
      int own = t;
      threads[t] = new Thread(() -> {
        try {
          room.acquire();
          set.add(own);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(set.size());
  }
}
