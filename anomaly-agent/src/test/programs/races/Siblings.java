// expect: anomaly Siblings.last WRITE-WRITE
import java.util.concurrent.CompletableFuture;

/** Two stages on one future are not ordered. */
final class Siblings {
  private static int last;

  public static void main(String[] arguments) throws Exception {
    CompletableFuture<Integer> source = CompletableFuture.supplyAsync(() -> 5);
    CompletableFuture<Void> one = source.thenAcceptAsync(x -> last = x);
    CompletableFuture<Void> two = source.thenAcceptAsync(x -> last = x + 1);
    one.join();
    two.join();
  }
}
