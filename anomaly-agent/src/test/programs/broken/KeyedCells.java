// expect: anomaly KeyedCells.Cell.sum WRITE-READ
// expect: anomaly KeyedCells.Cell.sum WRITE-WRITE
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** The cell is changed outside the function. */
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
        .forEach(i -> CELLS.get(i % 3).plus(i));
    System.out.println(CELLS.get(2).sum);
  }
}
