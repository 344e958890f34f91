// expect: validated

/** Two take turns by a number that says whose it is. */
final class PingPong {
  private static volatile int turn;
  private static final StringBuilder LINE = new StringBuilder();

  private static void play(int own, int next) {
    for (int i = 0; i < 3; i++) {
      while (turn != own) {
        Thread.onSpinWait();
      }
      LINE.append(own);
      turn = next;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Thread other = new Thread(() -> play(1, 0));
    other.start();
    play(0, 1);
    other.join();
    System.out.println(LINE);
  }
}
