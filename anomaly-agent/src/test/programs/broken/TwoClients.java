// expect: anomaly TwoClients.last WRITE-WRITE
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Two threads serve both. */
final class TwoClients {
  private static int last;

  private static void ask(ExecutorService service, int number) {
    try {
      service.submit(() -> last = number).get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    ExecutorService service = Executors.newFixedThreadPool(2);
    Thread other = new Thread(() -> ask(service, 1));
    other.start();
    ask(service, 2);
    other.join();
    service.shutdown();
    System.out.println(last > 0);
  }
}
