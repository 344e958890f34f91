// expect: anomaly matrix[*][*] WRITE-WRITE
import java.util.stream.IntStream;

/** Column i and column i + 1 in one iteration. */
final class Columns {

  public static void main(String[] arguments) throws Exception {
    double[][] matrix = new double[10][11];
    IntStream.range(0, 10).parallel().forEach(column -> {
      for (int row = 0; row < 10; row++) {
        matrix[row][column] = row;
        matrix[row][column + 1] = row;
      }
    });
  }
}
