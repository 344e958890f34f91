// expect: validated
import java.util.stream.IntStream;

final class Columns {

  public static void main(String[] arguments) throws Exception {
    double[][] matrix = new double[10][20];
    IntStream.range(0, 10).parallel().forEach(column -> {
      for (int row = 0; row < 10; row++) {
        matrix[row][2 * column] = row;
        matrix[row][2 * column + 1] = row;
      }
    });
  }
}
