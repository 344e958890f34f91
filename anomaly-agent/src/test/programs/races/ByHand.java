// expect: anomaly ByHand.payload WRITE-READ
import java.util.concurrent.CompletableFuture;

/** Written after the future was completed. */
final class ByHand {
  private static int payload;

  public static void main(String[] arguments) throws Exception {
    CompletableFuture<Void> ready = new CompletableFuture<>();
    Thread writer = new Thread(() -> {
      ready.complete(null);
      payload = 9;
    });
    writer.start();
    ready.join();
    int seen = payload;
    writer.join();
    System.out.println(seen >= 0);
  }
}
