// expect: validated
import java.util.stream.IntStream;

final class Rows {
  private static final double[][] grid = new double[50][50];

  public static void main(String[] arguments) throws Exception {
    IntStream.range(0, 50).parallel().forEach(i -> {
      for (int j = 1; j < 50; j++) {
        grid[i][j] = grid[i][j - 1] + 1;
      }
    });
  }
}
