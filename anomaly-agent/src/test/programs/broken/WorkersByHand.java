// expect: anomaly work WRITE-WRITE
// expect: may work WRITE-READ
// expect: may work[*] WRITE-READ
// expect: may work[*] WRITE-WRITE
// expect: may results[*] WRITE-WRITE
// expect: not validated
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The work is taken out of a queue for one thread. */
final class WorkersByHand {
  public static void main(String[] arguments) throws Exception {
    Queue<Integer> work = new ArrayDeque<>();
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
