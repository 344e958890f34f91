// expect: anomaly RarelyRead.Item.value WRITE-READ
import java.util.stream.IntStream;

/** All iterations read most of the items, and only one reads the first. */
final class RarelyRead {
  private static final class Item {
    int value;
  }

  private final Item[] items = new Item[64];

  private RarelyRead() {
    for (int i = 0; i < items.length; i++) {
      items[i] = new Item();
    }
  }

  private int sum(int from) {
    int sum = 0;
    for (int j = from; j < items.length; j++) {
      sum += items[j].value;
    }
    return sum;
  }

  private void write() {
    items[0].value = 1;
  }

  public static void main(String[] arguments) {
    RarelyRead all = new RarelyRead();
    int[] sums = new int[1024];
    IntStream.range(0, sums.length)
        .parallel()
        .forEach(
            i -> {
              sums[i] = all.sum(i == 700 ? 0 : 1);
              if (i == 300) {
                all.write();
              }
            });
    System.out.println(sums[1]);
  }
}
