// expect: validated

/** The flag is not set before there is anything to see. */
final class SetAlready {
  private static volatile boolean isReady;
  private static int data;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      data = 3;
      isReady = true;
    });
    writer.start();
    while (!isReady) {
      Thread.onSpinWait();
    }
    System.out.println(data);
    writer.join();
  }
}
