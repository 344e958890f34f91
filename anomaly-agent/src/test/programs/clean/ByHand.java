// expect: validated
import java.util.concurrent.CompletableFuture;

final class ByHand {
  private static int payload;

  public static void main(String[] arguments) throws Exception {
    CompletableFuture<Void> ready = new CompletableFuture<>();
    Thread writer = new Thread(() -> {
      payload = 9;
      ready.complete(null);
    });
    writer.start();
    ready.join();
    int seen = payload;
    writer.join();
    System.out.println(seen);
  }
}
