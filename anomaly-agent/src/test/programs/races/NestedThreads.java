// expect: anomaly NestedThreads.result WRITE-READ

/** A child's child is not joined. */
final class NestedThreads {
  private static int result;
  private static Thread inner;

  public static void main(String[] arguments) throws Exception {
    Thread outer = new Thread(() -> {
      inner = new Thread(() -> result = 1);
      inner.start();
    });
    outer.start();
    outer.join();
    int early = result;
    inner.join();
    System.out.println(early >= 0);
  }
}
