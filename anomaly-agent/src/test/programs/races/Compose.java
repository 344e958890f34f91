// expect: anomaly Compose.state WRITE-WRITE
import java.util.concurrent.CompletableFuture;

/** The inner future's task and the block that goes on write one field. */
final class Compose {
  private static int state;

  public static void main(String[] arguments) throws Exception {
    CompletableFuture<Integer> chain =
        CompletableFuture.supplyAsync(() -> 1).thenCompose(x -> CompletableFuture.supplyAsync(() -> state = x));
    state = 2;
    chain.join();
  }
}
