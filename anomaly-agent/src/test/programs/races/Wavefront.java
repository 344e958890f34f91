// expect: anomaly cells[*][*] WRITE-READ
import java.util.stream.IntStream;

/** Rows in parallel, though each needs the row above. */
final class Wavefront {

  public static void main(String[] arguments) throws Exception {
    int[][] cells = new int[12][12];
    IntStream.range(1, 12).parallel().forEach(i -> {
      for (int j = 1; j < 12; j++) {
        cells[i][j] = cells[i - 1][j] + cells[i][j - 1] + 1;
      }
    });
  }
}
