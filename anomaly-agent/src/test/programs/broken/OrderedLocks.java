// expect: anomaly OrderedLocks.right WRITE-READ
// expect: anomaly OrderedLocks.right WRITE-WRITE

/** The second is left out. */
final class OrderedLocks {
  private static final Object LEFT = new Object();
  private static final Object RIGHT = new Object();
  private static int left = 10;
  private static int right = 20;

  private static void swap() {
    synchronized (LEFT) {
      synchronized (RIGHT) {
        int old = left;
        left = right;
        right = old;
      }
    }
  }

  private static int both() {
    synchronized (LEFT) {
      synchronized (RIGHT) {
        return left + right;
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    Thread other = new Thread(OrderedLocks::swap);
    other.start();
    right++;
    other.join();
    System.out.println(both());
  }
}
