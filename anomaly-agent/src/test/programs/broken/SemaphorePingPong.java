// expect: anomaly SemaphorePingPong.shared WRITE-READ
// expect: anomaly SemaphorePingPong.shared WRITE-WRITE
import java.util.concurrent.Semaphore;

/** Both may go first. */
final class SemaphorePingPong {
  private static final Semaphore PING = new Semaphore(1);
  private static final Semaphore PONG = new Semaphore(1);
  private static int shared;

  public static void main(String[] arguments) throws Exception {
    Thread other = new Thread(() -> {
      for (int i = 0; i < 5; i++) {
        PONG.acquireUninterruptibly();
        shared = shared * 3 + i;
        PING.release();
      }
    });
    other.start();
    for (int i = 0; i < 5; i++) {
      PING.acquire();
      shared = shared * 2 + i;
      PONG.release();
    }
    other.join();
    System.out.println(shared);
  }
}
