// expect: anomaly AskedFlag.data WRITE-READ
// expect: lock-ordered AskedFlag.ready

/** What the flag guards is read before it was asked. */
final class AskedFlag {
  private static volatile boolean ready;
  private static int data;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      data = 3;
      ready = true;
    });
    writer.start();
    int seen = data + (ready ? 1 : 0);
    writer.join();
    System.out.println(seen >= 0);
  }
}
