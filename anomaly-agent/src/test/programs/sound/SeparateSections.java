// expect: commuting SeparateSections.count
// expect: not validated call of Thread.isAlive()

/** What both threads change, they change under the lock. */
final class SeparateSections {
  private static final Object LOCK = new Object();
  private static int count;
  private static int ofOne;
  private static int ofOther;

  public static void main(String[] arguments) throws Exception {
    Thread one = new Thread(() -> {
      countOne();
      synchronized (LOCK) {
        ofOne++;
      }
    });
    one.start();
    // The one has its section first in every run, but nothing says that it must.
    while (one.isAlive()) {
      Thread.onSpinWait();
    }
    Thread other = new Thread(() -> {
      synchronized (LOCK) {
        ofOther++;
      }
      countOther();
    });
    other.start();
    other.join();
    one.join();
    System.out.println(count + ofOne + ofOther);
  }

  private static void countOne() {
    synchronized (LOCK) {
      count++;
    }
  }

  private static void countOther() {
    synchronized (LOCK) {
      count++;
    }
  }
}
