// expect: validated
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** An object is handed over when its constructor has set the final field. */
final class EscapingThis {
  static final BlockingQueue<Part> PARTS = new LinkedBlockingQueue<>();

  static final class Part {
    final int number;

    Part(int number) {
      this.number = number;
    }
  }

  public static void main(String[] arguments) throws Exception {
    int[] got = new int[1];
    Thread maker = new Thread(() -> PARTS.add(new Part(7)));
    Thread taker = new Thread(() -> {
      try {
        got[0] = PARTS.take().number;
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    maker.start();
    taker.start();
    maker.join();
    taker.join();
  }
}
