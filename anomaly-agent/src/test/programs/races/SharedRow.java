// expect: anomaly SharedRow.rows[*][*] WRITE-WRITE
import java.util.stream.IntStream;

/** Two places of an array have the same row, so two iterations write it. */
final class SharedRow {
  private final int[][] rows = new int[300][8];

  void fill(int step) {
    IntStream.range(0, rows.length).parallel().forEach(i -> {
      for (int j = 0; j < 8; j++) {
        rows[i][j] = step * j;
      }
    });
  }

  public static void main(String[] arguments) {
    SharedRow matrix = new SharedRow();
    matrix.fill(0);
    matrix.replace();
    for (int step = 1; step < 10; step++) {
      matrix.fill(step);
    }
    System.out.println(matrix.rows[70][7]);
  }

  private void replace() {
    rows[70] = rows[200];
  }
}
