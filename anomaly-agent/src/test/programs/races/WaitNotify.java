// expect: lock-ordered WaitNotify.stage
// expect: not validated

/** Who waits may as well have been woken up by nobody: what it waits for is not asked again. */
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
      if (stage == 0) {
        MONITOR.wait();
      }
    }
    other.join();
  }
}
