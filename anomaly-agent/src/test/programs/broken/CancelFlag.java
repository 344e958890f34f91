// expect: anomaly CancelFlag.isCancelled WRITE-READ

/** Without volatile it may never be seen. */
final class CancelFlag {
  private static boolean isCancelled;

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
