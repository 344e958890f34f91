// expect: anomaly cells[*] WRITE-WRITE
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Loops inside two tasks have a cell in common. */
final class LoopInTask {

  public static void main(String[] arguments) throws Exception {
    int[] cells = new int[20];
    ExecutorService pool = Executors.newFixedThreadPool(2);
    Future<?> one = pool.submit(() -> IntStream.range(0, 11).parallel().forEach(i -> cells[i] = 1));
    Future<?> two = pool.submit(() -> IntStream.range(10, 20).parallel().forEach(i -> cells[i] = 2));
    one.get();
    two.get();
    pool.shutdown();
  }
}
