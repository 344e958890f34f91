// expect: anomaly parts[*] WRITE-READ
import java.util.concurrent.CompletableFuture;

/** One future is left out of allOf. */
final class AllOf {

  public static void main(String[] arguments) throws Exception {
    int[] parts = new int[3];
    CompletableFuture<?> zero = CompletableFuture.runAsync(() -> parts[0] = 1);
    CompletableFuture<?> one = CompletableFuture.runAsync(() -> parts[1] = 1);
    CompletableFuture<?> two = CompletableFuture.runAsync(() -> parts[2] = 1);
    CompletableFuture.allOf(zero, one).join();
    int sum = parts[0] + parts[1] + parts[2];
    two.join();
    System.out.println(sum >= 0);
  }
}
