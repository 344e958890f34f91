// expect: validated
import java.util.concurrent.atomic.AtomicBoolean;

final class AtomicFlag {
  private static int data;

  public static void main(String[] arguments) throws Exception {
    AtomicBoolean ready = new AtomicBoolean();
    Thread writer = new Thread(() -> {
      data = 3;
      ready.set(true);
    });
    writer.start();
    while (!ready.get()) {
      Thread.yield();
    }
    int seen = data;
    writer.join();
    System.out.println(seen);
  }
}
