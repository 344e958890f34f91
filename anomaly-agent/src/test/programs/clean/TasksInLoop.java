// expect: validated
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

final class TasksInLoop {

  public static void main(String[] arguments) throws Exception {
    int[] total = new int[6];
    IntStream.range(0, 6).parallel().forEach(i -> {
      CompletableFuture.runAsync(() -> total[i] += i).join();
      total[i] *= 2;
    });
  }
}
