// expect: validated
// needs: 25
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** To close a pool is to wait for its tasks. */
final class ClosedPool {
  public static void main(String[] arguments) {
    int[] results = new int[4];
    int early = 0;
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      for (int i = 0; i < 4; i++) {
        int number = i;
        pool.execute(() -> results[number] = number + 1);
      }
      early += arguments.length;
    }
    System.out.println(early + results[3]);
  }
}
