// expect: anomaly AtomicFlag.data WRITE-READ
import java.util.concurrent.atomic.AtomicBoolean;

/** As with a volatile flag that is set too early. */
final class AtomicFlag {
  private static int data;

  public static void main(String[] arguments) throws Exception {
    AtomicBoolean ready = new AtomicBoolean();
    Thread writer = new Thread(() -> {
      ready.set(true);
      data = 3;
    });
    writer.start();
    while (!ready.get()) {
      Thread.onSpinWait();
    }
    int seen = data;
    writer.join();
    System.out.println(seen >= 0);
  }
}
