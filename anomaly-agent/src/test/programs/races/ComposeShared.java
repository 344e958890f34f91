// expect: anomaly ComposeShared.before WRITE-READ
import java.util.concurrent.CompletableFuture;

/** Who completes the future that the function of thenCompose returns has not waited for it. */
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
              shared.complete(3);
              after = before;
            });
    thread.start();
    System.out.println(composed.join() + before);
    thread.join();
  }
}
