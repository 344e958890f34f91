// expect: anomaly DoubleChecked.instance WRITE-READ
// expect: may DoubleChecked.instance

/** Without volatile, it may be seen half built. */
final class DoubleChecked {
  private static DoubleChecked instance;
  private final int value;

  private DoubleChecked(int value) {
    this.value = value;
  }

  static DoubleChecked get() {
    DoubleChecked found = instance;
    if (found == null) {
      synchronized (DoubleChecked.class) {
        found = instance;
        if (found == null) {
          found = new DoubleChecked(5);
          instance = found;
        }
      }
    }
    return found;
  }

  public static void main(String[] arguments) throws Exception {
    int[] values = new int[2];
    Thread other = new Thread(() -> values[1] = get().value);
    other.start();
    values[0] = get().value;
    other.join();
    System.out.println(values[0] + values[1]);
  }
}
