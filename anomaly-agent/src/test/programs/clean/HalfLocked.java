// expect: validated

/** One writer after the other. */
final class HalfLocked {
  private static final Object LOCK = new Object();
  private static int last;

  public static void main(String[] arguments) throws Exception {
    Thread one = new Thread(() -> {
      synchronized (LOCK) {
        last = 1;
      }
    });
    Thread two = new Thread(() -> last = 2);
    one.start();
    one.join();
    two.start();
    two.join();
  }
}
