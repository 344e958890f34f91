// expect: anomaly made[*] WRITE-READ
// expect: lock-ordered VolatileArray.table

/** It is published and then filled. */
final class VolatileArray {
  private static volatile int[] table;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      int[] made = new int[8];
      table = made;
      made[3] = 3;
    });
    writer.start();
    int[] seen = table;
    while (seen == null) {
      Thread.onSpinWait();
      seen = table;
    }
    System.out.println(seen[3]);
    writer.join();
  }
}
