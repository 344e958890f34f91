// expect: lock-ordered VolatileArray.table
// expect: lock-ordered made[*]
// expect: not validated

/** An array is filled and then published; who sees it sees its elements. */
final class VolatileArray {
  private static volatile int[] table;

  public static void main(String[] arguments) throws Exception {
    Thread writer = new Thread(() -> {
      int[] made = new int[8];
      made[3] = 3;
      table = made;
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
