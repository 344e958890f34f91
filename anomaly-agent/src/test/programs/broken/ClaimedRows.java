// expect: anomaly ClaimedRows.next WRITE-READ
// expect: anomaly ClaimedRows.next WRITE-WRITE
// expect: may rows[*][*] WRITE-WRITE
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Two may claim the same row. */
final class ClaimedRows {
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static int next;

  private static int claim() {
    return NEXT.get() + claimByHand();
  }

  private static int claimByHand() {
    return next++;
  }

  public static void main(String[] arguments) throws Exception {
    int[][] rows = new int[8][4];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      threads.add(
          new Thread(() -> {
            for (int row = claim(); row < rows.length; row = claim()) {
              int[] own = rows[row];
              for (int j = 0; j < own.length; j++) {
                own[j] = row * j;
              }
            }
          }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(rows[7][3]);
  }
}
