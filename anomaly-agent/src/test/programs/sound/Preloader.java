// expect: validated
import java.util.concurrent.FutureTask;

/** What is loaded ahead is asked for through its future. */
final class Preloader {
  private static int product;

  public static void main(String[] arguments) throws Exception {
    FutureTask<Integer> load = new FutureTask<>(() -> product = 41);
    new Thread(load).start();
    int seen = load.get();
    System.out.println(seen + product);
  }
}
