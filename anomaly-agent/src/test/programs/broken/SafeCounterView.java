// expect: anomaly SafeCounterView.value WRITE-READ

/** A counter is read without its lock. */
final class SafeCounterView {
  private static final Object LOCK = new Object();
  private static int value;

  private static void increment() {
    synchronized (LOCK) {
      value++;
    }
  }

  private static int get() {
    return value;
  }

  public static void main(String[] arguments) throws Exception {
    Thread counts = new Thread(() -> increment());
    counts.start();
    int early = get();
    counts.join();
    System.out.println(early <= value);
  }
}
