// expect: validated

/** The grandparent joins a thread that it did not start. */
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
    inner.join();
    System.out.println(result);
  }
}
