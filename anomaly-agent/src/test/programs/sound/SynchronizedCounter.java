// expect: validated

/** Everybody adds under the lock, and the sum is read when all have ended. */
final class SynchronizedCounter {
  private int count;

  synchronized void increment() {
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
