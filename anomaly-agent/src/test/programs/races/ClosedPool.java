// expect: anomaly results[*] WRITE-READ
// needs: 25
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The results are read while tasks may run. */
final class ClosedPool {
  public static void main(String[] arguments) {
    int[] results = new int[4];
    int early = 0;
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      for (int i = 0; i < 4; i++) {
        int number = i;
        pool.execute(() -> results[number] = number + 1);
      }
      early += results[2];
    }
    System.out.println(early + results[3]);
  }
}
