// expect: anomaly NumberRange.upper WRITE-READ
// expect: anomaly NumberRange.lower WRITE-READ

/** A bound is changed without the lock. */
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
    upper = Math.max(value, lower);
  }

  public static void main(String[] arguments) throws Exception {
    Thread raises = new Thread(() -> setLower(5));
    raises.start();
    setUpper(4);
    raises.join();
    System.out.println(lower <= upper);
  }
}
