// expect: validated
import java.util.concurrent.CompletableFuture;

final class Compose {
  private static int state;

  public static void main(String[] arguments) throws Exception {
    state = 2;
    CompletableFuture<Integer> chain =
        CompletableFuture.supplyAsync(() -> 1).thenCompose(x -> CompletableFuture.supplyAsync(() -> state = x));
    chain.join();
    state++;
  }
}
