// expect: lock-ordered NumberRange.lower
// expect: lock-ordered NumberRange.upper

/** Both bounds change under one lock, which keeps them in order. */
final class NumberRange {
  private static final Object LOCK = new Object();
  private static int lower;
  private static int upper = 10;

  private static void setLower(int value) {
    synchronized (LOCK) {
      lower = Math.min(value, upper);
    }
  }

  private static void setUpper(int value) {
    synchronized (LOCK) {
      upper = Math.max(value, lower);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Thread raises = new Thread(() -> setLower(5));
    raises.start();
    setUpper(4);
    raises.join();
    System.out.println(lower <= upper);
  }
}
