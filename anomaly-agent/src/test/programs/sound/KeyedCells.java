// expect: lock-ordered KeyedCells.CELLS[*]
// expect: lock-ordered KeyedCells.Cell.sum
// expect: not validated
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Each cell is changed by the function of its key only, one after the other. */
final class KeyedCells {
  private static final Map<Integer, Cell> CELLS = new ConcurrentHashMap<>();

  private static final class Cell {
    private int sum;

    Cell plus(int value) {
      sum += value;
      return this;
    }
  }

  public static void main(String[] arguments) {
    for (int key = 0; key < 3; key++) {
      CELLS.put(key, new Cell());
    }
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> CELLS.computeIfPresent(i % 3, (key, cell) -> cell.plus(i)));
    System.out.println(CELLS.get(2).sum);
  }
}
