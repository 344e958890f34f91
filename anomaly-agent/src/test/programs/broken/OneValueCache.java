// expect: anomaly OneValueCache.Pair.square WRITE-WRITE

/** The two values are exchanged one after the other. */
final class OneValueCache {
  /** A number and its square. */
  private static final class Pair {
    int number;
    int square;

    Pair(int number) {
      this.number = number;
      this.square = number * number;
    }
  }

  private static volatile Pair cache = new Pair(0);

  public static void main(String[] arguments) throws Exception {
    int[] results = new int[2];
    Thread[] threads = new Thread[2];
    for (int t = 0; t < 2; t++) {
      int own = t;
      threads[t] = new Thread(() -> results[own] = square(own + 2));
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(results[0] + results[1]);
  }

  private static int square(int number) {
    Pair known = cache;
    if (known.number == number) {
      return known.square;
    }
    known.square = number * number;
    return number * number;
  }
}
