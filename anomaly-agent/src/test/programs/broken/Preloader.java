// expect: anomaly Preloader.product WRITE-READ
import java.util.concurrent.FutureTask;

/** What is loaded ahead is looked at before the future is asked. */
final class Preloader {
  private static int product;

  public static void main(String[] arguments) throws Exception {
    FutureTask<Integer> load = new FutureTask<>(() -> product = 41);
    new Thread(load).start();
    int seen = product + load.get();
    System.out.println(seen + product);
  }
}
