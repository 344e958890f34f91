// expect: validated
import java.util.stream.IntStream;

/** Iterations that all do the same, but for a late one, which does it where nobody did. */
final class Departure {
  private static final double[][] grid = new double[901][20];
  private static final double[] values = new double[901];

  public static void main(String[] arguments) throws Exception {
    IntStream.range(0, 900).parallel().forEach(i -> {
      double[] row = grid[i == 877 ? 900 : i];
      for (int j = 0; j < 20; j++) {
        row[j] = i + j;
      }
    });
    IntStream.range(0, 900).parallel().forEach(i -> values[i == 877 ? 900 : i] = i);
  }
}
