// expect: lock-ordered VolatileHolder.last
// expect: not validated

/** An immutable pair in a volatile field: both of it or nothing. */
final class VolatileHolder {
  private static volatile Pair last = new Pair(1, 1);

  static final class Pair {
    final int number;
    final int square;

    Pair(int number, int square) {
      this.number = number;
      this.square = square;
    }
  }

  static int square(int number) {
    Pair cached = last;
    if (cached.number != number) {
      cached = new Pair(number, number * number);
      last = cached;
    }
    return cached.square;
  }

  public static void main(String[] arguments) throws Exception {
    int[] results = new int[2];
    Thread other = new Thread(() -> results[0] = square(3));
    other.start();
    results[1] = square(4);
    other.join();
    System.out.println(results[0] + results[1]);
  }
}
