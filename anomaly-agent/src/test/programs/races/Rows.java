// expect: anomaly Rows.grid[*][*] WRITE-READ
import java.util.stream.IntStream;

final class Rows {
  private static final double[][] grid = new double[50][50];

  public static void main(String[] arguments) throws Exception {
    IntStream.range(1, 50).parallel().forEach(i -> {
      for (int j = 0; j < 50; j++) {
        grid[i][j] = grid[i - 1][j] + 1;
      }
    });
  }
}
