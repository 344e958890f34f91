// expect: anomaly ReplacedItems.Item.value WRITE-READ
import java.util.stream.IntStream;

/**
 * Each iteration reads the item in its own place, mostly the same one. A class beside it puts
 * another into a place, so that the array does not hold what its constructor put there.
 */
final class ReplacedItems {
  private static final class Item {
    int value;
  }

  private static final class Putting {
    static void put(ReplacedItems places, int i, Item item) {
      places.items[i] = item;
    }
  }

  private final Item[] items = new Item[1024];

  private ReplacedItems(Item common) {
    for (int i = 0; i < items.length; i++) {
      items[i] = common;
    }
  }

  private int sum(int from, int to) {
    int sum = 0;
    for (int j = from; j < to; j++) {
      sum += items[j].value;
    }
    return sum;
  }

  public static void main(String[] arguments) {
    ReplacedItems places = new ReplacedItems(new Item());
    Item rare = new Item();
    int[] sums = new int[1024];
    IntStream.range(0, sums.length)
        .parallel()
        .forEach(
            i -> {
              if (i == 700) {
                Putting.put(places, i, rare);
              } else if (i == 300) {
                rare.value = 1;
              }
              sums[i] = places.sum(i, i + 1);
            });
    System.out.println(sums[1]);
  }
}
