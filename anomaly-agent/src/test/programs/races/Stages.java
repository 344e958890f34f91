// expect: anomaly Stages.shared WRITE-WRITE
import java.util.concurrent.CompletableFuture;

final class Stages {
  private static int shared;

  public static void main(String[] arguments) throws Exception {
    CompletableFuture<Void> one = CompletableFuture.runAsync(() -> shared = 1);
    CompletableFuture<Void> two = CompletableFuture.runAsync(() -> {}).thenRun(() -> shared = 2);
    CompletableFuture.allOf(one, two).join();
  }
}
