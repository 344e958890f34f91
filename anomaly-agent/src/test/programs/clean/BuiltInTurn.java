// expect: validated
import java.util.stream.IntStream;

/** A constructor looks at what it has put into its array, and then puts something else there. */
final class BuiltInTurn {
  private static final class Item {
    int value;
  }

  private static final class Pair {
    private final Item[] items = new Item[2];
    private int sum;

    Pair(Item first, Item second, Item last) {
      for (int round = 0; round < 2; round++) {
        items[0] = round == 0 ? first : last;
        items[1] = second;
        for (int j = 0; j < items.length; j++) {
          sum += items[j].value;
        }
      }
    }
  }

  public static void main(String[] arguments) {
    Item common = new Item();
    Item rare = new Item();
    int[] sums = new int[1024];
    IntStream.range(0, sums.length)
        .parallel()
        .forEach(
            i -> {
              if (i == 300) {
                rare.value = 1;
              } else if (i == 700) {
                sums[i] = new Pair(common, common, common).sum;
              } else if (i == 698 || i == 699) {
                sums[i] = new Pair(common, new Item(), common).sum;
              }
            });
    System.out.println(sums[1]);
  }
}
