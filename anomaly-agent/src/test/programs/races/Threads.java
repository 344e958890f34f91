// expect: anomaly Threads.value WRITE-READ

final class Threads {
  private static int value;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> value = 1);
    writer.start();
    int seen = value;
    writer.join();
    if (seen > 1) {
      throw new IllegalStateException();
    }
  }
}
