// expect: validated
import java.util.concurrent.Exchanger;

/** Two threads swap buffers: each reads what the other wrote. */
final class Exchange {
  private static void write(int[] buffer, int value) {
    buffer[0] = value;
  }

  private static int read(int[] buffer) {
    return buffer[0];
  }

  private static void swap(Exchanger<int[]> exchanger, int[] given) {
    try {
      write(given, 1);
      int[] taken = exchanger.exchange(given);
      write(taken, 1 + read(taken));
      if (read(taken) < 0) {
        throw new IllegalStateException();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Exchanger<int[]> exchanger = new Exchanger<>();
    Thread one = new Thread(() -> swap(exchanger, new int[1]));
    Thread other = new Thread(() -> swap(exchanger, new int[1]));
    one.start();
    other.start();
    one.join();
    other.join();
  }
}
