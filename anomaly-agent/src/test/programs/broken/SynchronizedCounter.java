// expect: anomaly SynchronizedCounter.count WRITE-READ
// expect: anomaly SynchronizedCounter.count WRITE-WRITE

/** One adds without the lock. */
final class SynchronizedCounter {
  private int count;

  void increment() {
    count++;
  }

  public static void main(String[] arguments) throws Exception {
    SynchronizedCounter counter = new SynchronizedCounter();
    Thread one = new Thread(counter::increment);
    Thread two = new Thread(counter::increment);
    one.start();
    two.start();
    one.join();
    two.join();
    System.out.println(counter.count);
  }
}
