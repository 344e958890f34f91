// expect: validated

/** One write ends the wait, and there is no other. */
final class WaitedForOnce {
  private static volatile int step;
  private static int data;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      data = 3;
      step = 1;
    });
    writer.start();
    while (step != 1) {
      Thread.onSpinWait();
    }
    System.out.println(data);
    writer.join();
  }
}
