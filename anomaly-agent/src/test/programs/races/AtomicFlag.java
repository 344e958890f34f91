// expect: anomaly AtomicFlag.data WRITE-READ
// expect: anomaly ready WRITE-READ
import java.util.concurrent.atomic.AtomicBoolean;

/** As with a volatile flag that is asked once. */
final class AtomicFlag {
  private static int data;

  public static void main(String[] arguments) throws Exception {
    AtomicBoolean ready = new AtomicBoolean();
    Thread writer = new Thread(() -> {
      data = 3;
      ready.set(true);
    });
    writer.start();
    boolean isReady = ready.get();
    int seen = data;
    writer.join();
    System.out.println(isReady ? seen >= 0 : seen >= 0);
  }
}
