// expect: validated
import java.util.concurrent.CompletableFuture;

/** One stage on the other. */
final class Siblings {
  private static int last;

  public static void main(String[] arguments) throws Exception {
    CompletableFuture<Integer> source = CompletableFuture.supplyAsync(() -> 5);
    source.thenApplyAsync(x -> last = x).thenAcceptAsync(x -> last = x + 1).join();
    System.out.println(last);
  }
}
