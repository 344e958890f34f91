// expect: validated
import java.util.concurrent.CompletableFuture;

/** All parts are complete when allOf is. */
final class ScatterGather {
  public static void main(String[] arguments) {
    int[] parts = new int[3];
    CompletableFuture<?>[] all = new CompletableFuture<?>[3];
    for (int i = 0; i < 3; i++) {
      int own = i;
      all[i] = CompletableFuture.runAsync(() -> parts[own] = own * own);
    }
    CompletableFuture<Void> whole = CompletableFuture.allOf(all);
    whole.join();
    int sum = parts[0] + parts[1] + parts[2];
    System.out.println(sum);
    whole.join();
  }
}
