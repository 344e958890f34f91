// expect: validated
/** A class fills an array when it is initialised, after a thread that did so. */
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
      for (int i = 0; i < 64; i++) {
        Shared.fill(i);
      }
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
    other.join();
    if (Filled.size != 64) {
      throw new IllegalStateException();
    }
  }
}
