// expect: anomaly HandMadeBarrier.ROWS[*][*] WRITE-READ
// expect: lock-ordered HandMadeBarrier.phase
// expect: lock-ordered HandMadeBarrier.waiting
import java.util.ArrayList;
import java.util.List;

/** A row is written after its owner came to the barrier. */
final class HandMadeBarrier {
  private static final int PARTIES = 3;
  private static final int[][] ROWS = new int[PARTIES][4];
  private int waiting;
  private int phase;

  synchronized void await() throws InterruptedException {
    int mine = phase;
    waiting++;
    if (waiting == PARTIES) {
      waiting = 0;
      phase++;
      notifyAll();
    }
    while (phase == mine) {
      wait();
    }
  }

  public static void main(String[] arguments) throws Exception {
    HandMadeBarrier barrier = new HandMadeBarrier();
    int[] sums = new int[PARTIES];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < PARTIES; i++) {
      int own = i;
      threads.add(new Thread(() -> sums[own] = run(own, barrier)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(sums[0] + sums[1] + sums[2]);
  }

  private static int run(int own, HandMadeBarrier barrier) {
    try {
      barrier.await();
      fill(own);
      int[] next = ROWS[(own + 1) % PARTIES];
      return next[0] + next[3];
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void fill(int own) {
    for (int j = 0; j < 4; j++) {
      ROWS[own][j] = own + j;
    }
  }
}
