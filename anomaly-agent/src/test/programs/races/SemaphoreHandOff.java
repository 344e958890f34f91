// expect: anomaly SemaphoreHandOff.message WRITE-READ
import java.util.concurrent.Semaphore;

/** There is a permit from the beginning: nobody waits. */
final class SemaphoreHandOff {
  private static int message;

  public static void main(String[] arguments) throws Exception {
    Semaphore sent = new Semaphore(1);
    Thread sender = new Thread(() -> {
      message = 7;
      sent.release();
    });
    sender.start();
    sent.acquireUninterruptibly();
    int seen = message;
    sender.join();
    System.out.println(seen >= 0);
  }
}
