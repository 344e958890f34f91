// expect: validated

/** A token goes around by condition variables; each adds to what it got. */
final class RingOfThreads {
  private static final int[] SUM = new int[1];
  private int turn;

  synchronized void await(int own) throws InterruptedException {
    while (turn != own) {
      wait();
    }
  }

  synchronized void pass() {
    turn++;
    notifyAll();
  }

  private static void work(RingOfThreads ring, int own) {
    try {
      ring.await(own);
      SUM[0] = SUM[0] * 10 + own;
      ring.pass();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    RingOfThreads ring = new RingOfThreads();
    Thread one = new Thread(() -> work(ring, 1));
    Thread two = new Thread(() -> work(ring, 2));
    one.start();
    two.start();
    work(ring, 0);
    one.join();
    two.join();
    System.out.println(SUM[0]);
  }
}
