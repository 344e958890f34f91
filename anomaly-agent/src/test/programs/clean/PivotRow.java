// expect: validated
import java.util.stream.IntStream;

/** Elimination below the pivot: each row belongs to one iteration, the pivot's to none. */
final class PivotRow {
  private static final double[][] a = new double[300][40];

  public static void main(String[] arguments) throws Exception {
    for (int pivot = 0; pivot < 20; pivot++) {
      int k = pivot;
      IntStream.range(k + 1, 300).parallel().forEach(i -> {
        double factor = 0.5 * i;
        for (int j = k + 1; j < 40; j++) {
          a[i][j] -= factor * a[k][j];
        }
      });
    }
  }
}
