// expect: lock-ordered HandMadeLatch.count
// expect: lock-ordered results[*]
// expect: not validated

/** A latch by hand: who awaits it is after all who counted. */
final class HandMadeLatch {
  private int count = 2;

  synchronized void countDown() {
    count--;
    if (count == 0) {
      notifyAll();
    }
  }

  synchronized void await() throws InterruptedException {
    while (count > 0) {
      wait();
    }
  }

  public static void main(String[] arguments) throws Exception {
    HandMadeLatch latch = new HandMadeLatch();
    int[] results = new int[2];
    Thread one = new Thread(() -> {
      results[0] = 1;
      latch.countDown();
    });
    Thread two = new Thread(() -> {
      results[1] = 2;
      latch.countDown();
    });
    one.start();
    two.start();
    latch.await();
    System.out.println(results[0] + results[1]);
    one.join();
    two.join();
  }
}
