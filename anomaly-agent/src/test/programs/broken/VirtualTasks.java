// expect: anomaly results[*] WRITE-READ
// needs: 25
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The result is read while the tasks still run. */
final class VirtualTasks {
  public static void main(String[] arguments) throws Exception {
    int[] results = new int[3];
    int sum = 0;
    try (ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 3; i++) {
        int own = i;
        tasks.submit(() -> results[own] = own + 1);
      }
      sum += results[0];
    }
    System.out.println(sum + results[0] + results[1] + results[2]);
  }
}
