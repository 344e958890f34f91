// expect: validated
import java.util.concurrent.CompletableFuture;

final class Stages {
  private static int left;
  private static int right;

  public static void main(String[] arguments) throws Exception {
    CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> {
      left = 1;
      return left;
    });
    CompletableFuture<Integer> two = CompletableFuture.supplyAsync(() -> {
      right = 2;
      return right;
    });
    CompletableFuture<Integer> both = one.thenCombine(two, (x, y) -> x + y + left + right).thenApply(x -> x * 2);
    CompletableFuture.allOf(both, one, two).join();
    if (left + right + both.join() != 15) {
      throw new IllegalStateException();
    }
  }
}
