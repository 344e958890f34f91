// expect: validated
import java.util.concurrent.CompletableFuture;

final class AllOf {

  public static void main(String[] arguments) throws Exception {
    int[] parts = new int[3];
    CompletableFuture<?> zero = CompletableFuture.runAsync(() -> parts[0] = 1);
    CompletableFuture<?> one = CompletableFuture.runAsync(() -> parts[1] = 1);
    CompletableFuture<?> two = CompletableFuture.runAsync(() -> parts[2] = 1);
    int sum = CompletableFuture.allOf(zero, one, two).thenApply(all -> parts[0] + parts[1] + parts[2]).join();
    if (sum != 3) {
      throw new IllegalStateException();
    }
  }
}
