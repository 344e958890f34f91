// expect: validated
import java.util.concurrent.Exchanger;

/** One fills a buffer while the other empties the one before; they exchange. */
final class ExchangedBuffers {
  private static int sum;

  public static void main(String[] arguments) throws Exception {
    Exchanger<int[]> exchanger = new Exchanger<>();
    Thread filler = new Thread(() -> fill(exchanger));
    filler.start();
    int[] empty = new int[4];
    for (int round = 0; round < 3; round++) {
      int[] full = exchanger.exchange(empty);
      for (int i = 0; i < full.length; i++) {
        sum += full[i];
      }
      empty = full;
    }
    filler.join();
    System.out.println(sum);
  }

  private static void fill(Exchanger<int[]> exchanger) {
    try {
      int[] buffer = new int[4];
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < buffer.length; i++) {
          buffer[i] = round + i;
        }
        buffer = exchanger.exchange(buffer);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
