// expect: anomaly NestedLocks.early WRITE-WRITE
// expect: lock-ordered NestedLocks.shared

/** What one does before a section that has nothing in common with the other's, no lock orders. */
final class NestedLocks {
  private static final Object ONE = new Object();
  private static final Object OTHER = new Object();
  private static int early;
  private static int shared;
  private static int own;

  public static void main(String[] arguments) throws Exception {
    Thread first = new Thread(() -> {
      early = 1;
      synchronized (ONE) {
        own = 1;
      }
    });
    first.start();
    // They come in this order in every run, but nothing says that they must.
    while (first.isAlive()) {
      Thread.onSpinWait();
    }
    Thread second = new Thread(() -> {
      synchronized (OTHER) {
        shared = 2;
      }
    });
    second.start();
    while (second.isAlive()) {
      Thread.onSpinWait();
    }
    Thread third = new Thread(() -> {
      synchronized (ONE) {
        synchronized (OTHER) {
          shared = 3;
        }
      }
      early = 3;
    });
    third.start();
    third.join();
    second.join();
    first.join();
    System.out.println(early + shared + own);
  }
}
