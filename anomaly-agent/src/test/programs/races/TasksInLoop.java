// expect: anomaly total[*] WRITE-WRITE
// expect: anomaly total[*] WRITE-READ
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Tasks that iterations start are as parallel as the iterations. */
final class TasksInLoop {

  public static void main(String[] arguments) throws Exception {
    int[] total = new int[1];
    IntStream.range(0, 6).parallel().forEach(i -> CompletableFuture.runAsync(() -> total[0] += i).join());
  }
}
