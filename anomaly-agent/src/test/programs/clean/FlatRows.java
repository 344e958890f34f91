// expect: validated
import java.util.stream.IntStream;

/** Rows of one array, one after the other. */
final class FlatRows {
  private final float[] grid = new float[200 * 30 + 1];

  void scale(int width) {
    IntStream.range(0, 200).parallel().forEach(row -> {
      for (int j = 0; j < width; j++) {
        grid[row * width + j] += row;
      }
    });
  }

  public static void main(String[] arguments) {
    FlatRows rows = new FlatRows();
    for (int step = 0; step < 10; step++) {
      rows.scale(30);
    }
    System.out.println(rows.grid[199 * 30]);
  }
}
