// expect: anomaly Departure.grid[*][*] WRITE-WRITE
// expect: anomaly Departure.values[*] WRITE-WRITE
import java.util.stream.IntStream;

/** Iterations that all do the same, but for a late one, which does it where another did. */
final class Departure {
  private static final double[][] grid = new double[900][20];
  private static final double[] values = new double[900];

  public static void main(String[] arguments) throws Exception {
    IntStream.range(0, 900).parallel().forEach(i -> {
      double[] row = grid[i == 877 ? 876 : i];
      for (int j = 0; j < 20; j++) {
        row[j] = i + j;
      }
    });
    IntStream.range(0, 900).parallel().forEach(i -> values[i == 877 ? 876 : i] = i);
  }
}
