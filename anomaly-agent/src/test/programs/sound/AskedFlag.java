// expect: lock-ordered AskedFlag.ready
// expect: may AskedFlag.data
// expect: not validated

/** A volatile flag is asked once: what it guards is read only if it was set. */
final class AskedFlag {
  private static volatile boolean ready;
  private static int data;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      data = 3;
      ready = true;
    });
    writer.start();
    int seen = ready ? data : 0;
    writer.join();
    System.out.println(seen >= 0);
  }
}
