// expect: validated
import java.util.concurrent.atomic.AtomicBoolean;

/** Who waits for the flag has seen what was written before it. */
final class RelaxedFlag {
  private static int data;

  public static void main(String[] arguments) throws Exception {
    AtomicBoolean ready = new AtomicBoolean();
    Thread writer = new Thread(() -> {
      data = 3;
      ready.setRelease(true);
    });
    writer.start();
    while (!ready.getAcquire()) {
      Thread.yield();
    }
    System.out.println(data);
    writer.join();
  }
}
