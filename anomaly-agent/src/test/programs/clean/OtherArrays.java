// expect: validated
import java.util.stream.IntStream;

/** All iterations read the items of one shelf, and one writes an item of another. */
final class OtherArrays {
  private static final class Item {
    int value;
  }

  private static final class Shelf {
    private final Item[] items = new Item[64];

    Shelf() {
      for (int i = 0; i < items.length; i++) {
        items[i] = new Item();
      }
    }

    int sum() {
      int sum = 0;
      for (int j = 0; j < items.length; j++) {
        sum += items[j].value;
      }
      return sum;
    }

    void write(int i) {
      items[i].value = 1;
    }
  }

  public static void main(String[] arguments) {
    Shelf one = new Shelf();
    Shelf other = new Shelf();
    int[] sums = new int[1024];
    IntStream.range(0, sums.length)
        .parallel()
        .forEach(
            i -> {
              sums[i] = one.sum();
              if (i == 300) {
                other.write(7);
              }
            });
    System.out.println(sums[1]);
  }
}
