// expect: anomaly GuardedWait.data WRITE-READ

/** What is waited for is written after the lock was given back. */
final class GuardedWait {
  private static final Object LOCK = new Object();
  private static boolean ready;
  private static int data;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      synchronized (LOCK) {
        ready = true;
        LOCK.notifyAll();
      }
      data = 3;
    });
    writer.start();
    synchronized (LOCK) {
      while (!ready) {
        LOCK.wait();
      }
    }
    System.out.println(data);
    writer.join();
  }
}
