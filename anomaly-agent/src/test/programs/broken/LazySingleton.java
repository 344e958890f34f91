// expect: anomaly LazySingleton.instance WRITE-READ
// expect: may LazySingleton.instance WRITE-WRITE

/** Two may make it at the same time. */
final class LazySingleton {
  private static LazySingleton instance;
  private final int value = 5;

  static LazySingleton get() {
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
