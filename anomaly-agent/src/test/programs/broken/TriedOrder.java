// expect: anomaly TriedOrder.both WRITE-READ
// expect: anomaly TriedOrder.both WRITE-WRITE
// expect: never a deadlock
import java.util.concurrent.locks.ReentrantLock;

/** Two locks in both orders; but who comes the wrong way only tries, and gives back what it has. */
final class TriedOrder {
  private static final ReentrantLock LEFT = new ReentrantLock();
  private static final ReentrantLock RIGHT = new ReentrantLock();
  private static int both;

  private static void forwards() {
    LEFT.lock();
    RIGHT.lock();
    both = 2 * both + 1;
    RIGHT.unlock();
    LEFT.unlock();
  }

  private static void backwards() {
    RIGHT.lock();
    while (!LEFT.tryLock()) {
      RIGHT.unlock();
      Thread.onSpinWait();
      RIGHT.lock();
    }
    LEFT.unlock();
    RIGHT.unlock();
    both = 2 * both;
  }

  public static void main(String[] arguments) throws Exception {
    Thread one = new Thread(TriedOrder::forwards);
    Thread other = new Thread(TriedOrder::backwards);
    one.start();
    other.start();
    one.join();
    other.join();
    System.out.println(both < 3);
  }
}
