// expect: validated
import java.util.concurrent.CompletableFuture;

/** The function of thenCompose returns a future that was there before, and somebody else completes. */
final class ComposeShared {
  private static int before;
  private static int after;

  public static void main(String[] arguments) throws Exception {
    CompletableFuture<Integer> shared = new CompletableFuture<>();
    CompletableFuture<Integer> composed =
        CompletableFuture.supplyAsync(() -> 1)
            .thenCompose(
                x -> {
                  before = x;
                  return shared;
                });
    Thread thread =
        new Thread(
            () -> {
              after = 2;
              shared.complete(3);
            });
    thread.start();
    System.out.println(composed.join() + before + after);
    thread.join();
  }
}
