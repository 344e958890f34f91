// expect: validated
import java.util.concurrent.Semaphore;

/** The k-th acquire is after the k-th release. */
final class SemaphoreHandOff {
  private static int message;

  public static void main(String[] arguments) throws Exception {
    Semaphore sent = new Semaphore(0);
    Semaphore read = new Semaphore(0);
    Thread sender = new Thread(() -> {
      for (int i = 1; i <= 3; i++) {
        message = i;
        sent.release();
        read.acquireUninterruptibly();
      }
    });
    sender.start();
    int sum = 0;
    for (int i = 1; i <= 3; i++) {
      sent.acquire();
      sum += message;
      read.release();
    }
    sender.join();
    if (sum != 6) {
      throw new IllegalStateException();
    }
  }
}
