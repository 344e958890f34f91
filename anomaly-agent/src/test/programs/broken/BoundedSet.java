// expect: anomaly set WRITE-WRITE
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** The set is not made for many threads. */
final class BoundedSet {
  public static void main(String[] arguments) throws Exception {
    Set<Integer> set = new HashSet<>();
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
