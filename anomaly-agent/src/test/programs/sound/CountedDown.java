// expect: commuting CountedDown.left
// expect: validated

/** A latch by hand whose last step wakes up, as all of them do. */
final class CountedDown {
  private int left = 2;

  synchronized void countDown() {
    left--;
    notifyAll();
  }

  synchronized void await() throws InterruptedException {
    while (left > 0) {
      wait();
    }
  }

  public static void main(String[] arguments) throws Exception {
    CountedDown latch = new CountedDown();
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
