// expect: lock-ordered LazySingleton.instance
// expect: not validated

/** An object that is made when it is first asked for, under a lock. */
final class LazySingleton {
  private static LazySingleton instance;
  private final int value = 5;

  static synchronized LazySingleton get() {
    if (instance == null) {
      instance = new LazySingleton();
    }
    return instance;
  }

  public static void main(String[] arguments) throws Exception {
    Thread other = new Thread(() -> System.out.println(get().value));
    other.start();
    int value = get().value;
    other.join();
    System.out.println(value);
  }
}
