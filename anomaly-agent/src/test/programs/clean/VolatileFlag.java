// expect: validated

/** The reader waits until the flag is set: on every schedule it reads what was published. */
final class VolatileFlag {
  private static volatile boolean ready;
  private static int data;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      data = 3;
      ready = true;
    });
    writer.start();
    while (!ready) {
      Thread.onSpinWait();
    }
    int seen = data;
    writer.join();
    System.out.println(seen);
  }
}
