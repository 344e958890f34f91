// needs: 25
// expect: validated
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** close waits for all tasks. */
final class VirtualExecutor {

  public static void main(String[] arguments) throws Exception {
    int[] squares = new int[5];
    List<Future<Integer>> futures = new ArrayList<>();
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 5; i++) {
        int k = i;
        futures.add(pool.submit(() -> squares[k] = k * k));
      }
      if (futures.get(2).get() != squares[2]) {
        throw new IllegalStateException();
      }
    }
    if (squares[3] + squares[4] != 25) {
      throw new IllegalStateException();
    }
  }
}
