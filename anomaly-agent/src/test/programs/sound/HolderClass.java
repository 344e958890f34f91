// expect: validated

/** The initialiser of a class that is used only for this makes the object. */
final class HolderClass {
  private static HolderClass own;
  private final int value = 5;

  private static final class Holder {
    static final HolderClass INSTANCE = new HolderClass();
  }

  static HolderClass get() {
    return Holder.INSTANCE;
  }

  static HolderClass lazily() {
    if (own == null) {
      own = new HolderClass();
    }
    return own;
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
