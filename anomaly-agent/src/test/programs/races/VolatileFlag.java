// expect: anomaly VolatileFlag.ready WRITE-READ
// expect: anomaly VolatileFlag.data WRITE-READ

/** The flag is asked once: whether the data is there is chance. */
final class VolatileFlag {
  private static volatile boolean ready;
  private static int data;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      data = 3;
      ready = true;
    });
    writer.start();
    boolean isReady = ready;
    int seen = data;
    writer.join();
    System.out.println(isReady ? seen >= 0 : seen >= 0);
  }
}
