// expect: anomaly RelaxedFlag.data WRITE-READ
// expect: lock-ordered ready
import java.util.concurrent.atomic.AtomicBoolean;

/** The flag is seen, and need not be anything that was written before it. */
final class RelaxedFlag {
  private static int data;

  public static void main(String[] arguments) throws Exception {
    AtomicBoolean ready = new AtomicBoolean();
    Thread writer = new Thread(() -> {
      data = 3;
      ready.setRelease(true);
    });
    writer.start();
    while (!ready.getOpaque()) {
      Thread.yield();
    }
    System.out.println(data);
    writer.join();
  }
}
