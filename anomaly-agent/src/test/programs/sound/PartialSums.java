// expect: validated

/** Each thread adds up its own part; who joins them all adds up the rest. */
final class PartialSums {
  private static int total;

  public static void main(String[] arguments) throws Exception {
    int[] values = {3, 1, 4, 1, 5, 9, 2, 6};
    int[] sums = new int[2];
    Thread[] threads = new Thread[2];
    for (int t = 0; t < 2; t++) {
      int own = t;
      threads[t] = new Thread(() -> {
        int sum = 0;
        for (int i = own * 4; i < own * 4 + 4; i++) {
          sum += values[i];
        }
        sums[own] = sum;
      });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    total += sums[0] + sums[1];
    System.out.println(total);
  }
}
