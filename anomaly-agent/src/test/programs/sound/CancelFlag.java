// expect: lock-ordered CancelFlag.isCancelled
// expect: not validated

/** A volatile flag ends the work of another. */
final class CancelFlag {
  private static volatile boolean isCancelled;

  public static void main(String[] arguments) throws Exception {
    Thread worker = new Thread(() -> {
      int done = 0;
      while (done < 1000 && !isCancelled) {
        done++;
      }
    });
    worker.start();
    isCancelled = true;
    worker.join();
  }
}
