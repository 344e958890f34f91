// expect: validated

/** Under the lock, one waits until the other has set the flag. */
final class GuardedWait {
  private static final Object LOCK = new Object();
  private static boolean ready;
  private static int data;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      data = 3;
      synchronized (LOCK) {
        ready = true;
        LOCK.notifyAll();
      }
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
