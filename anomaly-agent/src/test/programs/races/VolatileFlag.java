// expect: anomaly VolatileFlag.data WRITE-READ

/** The flag is set before the data is there. */
final class VolatileFlag {
  private static volatile boolean ready;
  private static int data;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      ready = true;
      data = 3;
    });
    writer.start();
    while (!ready) {
      Thread.onSpinWait();
    }
    int seen = data;
    writer.join();
    System.out.println(seen >= 0);
  }
}
