// expect: lock-ordered WaitNotify.stage
// expect: not validated

/** A monitor excludes; that somebody waits in it is no order. */
final class WaitNotify {
  private static final Object MONITOR = new Object();
  private static int stage;

  public static void main(String[] arguments) throws Exception {
    Thread other = new Thread(() -> {
      synchronized (MONITOR) {
        stage = 1;
        MONITOR.notifyAll();
      }
    });
    other.start();
    synchronized (MONITOR) {
      while (stage == 0) {
        MONITOR.wait();
      }
    }
    other.join();
  }
}
