// needs: 25
// expect: anomaly VirtualThreads.hits WRITE-WRITE
// expect: anomaly VirtualThreads.hits WRITE-READ

/** Virtual threads are threads. */
final class VirtualThreads {
  private static int hits;

  public static void main(String[] arguments) throws Exception {
    Thread[] threads = new Thread[5];
    for (int i = 0; i < 5; i++) {
      threads[i] = Thread.startVirtualThread(() -> hits++);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
