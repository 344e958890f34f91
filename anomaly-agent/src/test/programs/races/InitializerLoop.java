// expect: anomaly InitializerLoop.Shared.data[*] WRITE-WRITE
import java.util.stream.IntStream;

/** A class fills an array in parallel when it is initialised, and so does a thread beside it. */
final class InitializerLoop {
  private static final class Shared {
    static final int[] data = new int[64];

    static void fill(int i) {
      data[i] = i;
    }
  }

  private static final class Filled {
    static final int size;

    static {
      IntStream.range(0, 64).parallel().forEach(Shared::fill);
      size = Shared.data.length;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Thread other = new Thread(() -> {
      for (int i = 0; i < 64; i++) {
        Shared.data[i] = -i;
      }
    });
    other.start();
    if (Filled.size != 64) {
      throw new IllegalStateException();
    }
    other.join();
  }
}
