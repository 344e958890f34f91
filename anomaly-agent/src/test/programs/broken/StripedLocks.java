// expect: anomaly StripedLocks.BUCKETS[*] WRITE-READ
// expect: anomaly StripedLocks.BUCKETS[*] WRITE-WRITE

/** A bucket is found under the lock of its neighbour. */
final class StripedLocks {
  private static final int[] BUCKETS = new int[8];
  private static final Object[] LOCKS = {new Object(), new Object()};

  static void add(int bucket, int stripe) {
    synchronized (LOCKS[stripe % LOCKS.length]) {
      BUCKETS[bucket] = BUCKETS[bucket] * 3 + 1;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Thread one = new Thread(() -> add(4, 4));
    Thread two = new Thread(() -> add(4, 5));
    one.start();
    two.start();
    one.join();
    two.join();
    System.out.println(BUCKETS[4]);
  }
}
