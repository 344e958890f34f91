// expect: lock-ordered SafeCounterView.value

/** A counter is read through the same lock as it is written. */
final class SafeCounterView {
  private static final Object LOCK = new Object();
  private static int value;

  private static void increment() {
    synchronized (LOCK) {
      value++;
    }
  }

  private static int get() {
    synchronized (LOCK) {
      return value;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Thread counts = new Thread(() -> increment());
    counts.start();
    int early = get();
    counts.join();
    System.out.println(early <= value);
  }
}
