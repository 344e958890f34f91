// expect: lock-ordered work
// expect: not validated
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Threads take their work out of a queue that is full before they begin. */
final class WorkersByHand {
  public static void main(String[] arguments) throws Exception {
    Queue<Integer> work = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < 6; i++) {
      work.add(i);
    }
    int[] results = new int[6];
    Thread[] threads = new Thread[2];
    for (int t = 0; t < 2; t++) {
      threads[t] = new Thread(() -> {
        for (Integer next = work.poll(); next != null; next = work.poll()) {
          results[next] = next * next;
        }
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(results[5]);
  }
}
