// expect: anomaly parts[*] WRITE-READ
import java.util.concurrent.CompletableFuture;

/** The parts are added up while they are computed. */
final class ScatterGather {
  public static void main(String[] arguments) {
    int[] parts = new int[3];
    CompletableFuture<?>[] all = new CompletableFuture<?>[3];
    for (int i = 0; i < 3; i++) {
      int own = i;
      all[i] = CompletableFuture.runAsync(() -> parts[own] = own * own);
    }
    CompletableFuture<Void> whole = CompletableFuture.allOf(all);
    int sum = parts[0] + parts[1] + parts[2];
    System.out.println(sum);
    whole.join();
  }
}
