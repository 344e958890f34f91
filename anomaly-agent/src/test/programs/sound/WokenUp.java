// expect: validated

/** Who sets what another waits for wakes it up. */
final class WokenUp {
  private static final Object LOCK = new Object();
  private static final Object OTHER = new Object();
  private static int[] result;

  public static void main(String[] arguments) throws Exception {
    Thread worker = new Thread(() -> {
      synchronized (OTHER) {
        synchronized (LOCK) {
          result = new int[] {3};
          LOCK.notifyAll();
        }
      }
    });
    worker.start();
    synchronized (LOCK) {
      while (result == null) {
        LOCK.wait();
      }
    }
    System.out.println(result[0]);
    worker.join();
  }
}
