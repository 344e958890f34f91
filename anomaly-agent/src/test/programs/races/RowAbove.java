// expect: anomaly RowAbove.a[*][*] WRITE-READ
import java.util.stream.IntStream;

/** Each row adds the one above, which another iteration writes. */
final class RowAbove {
  private final double[][] a = new double[300][20];
  private final double[][] b = new double[300][20];

  void add() {
    IntStream.range(1, 300).parallel().forEach(i -> {
      for (int j = 0; j < 20; j++) {
        a[i][j] += a[i - 1][j];
      }
    });
  }

  public static void main(String[] arguments) {
    RowAbove rows = new RowAbove();
    for (int step = 0; step < 10; step++) {
      rows.add();
    }
    System.out.println(rows.a[299][19]);
  }
}
