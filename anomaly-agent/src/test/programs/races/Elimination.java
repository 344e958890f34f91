// expect: anomaly a[*][*] WRITE-READ
// expect: says "line":23
// expect: says "line":25
import java.util.stream.IntStream;

/** Rows below the pivot, and by mistake the pivot's own, which the others read. */
final class Elimination {
  public static void main(String[] arguments) {
    int n = 40;
    double[][] a = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        a[i][j] = i == j ? n : 1;
      }
    }
    for (int pivot = 0; pivot < n - 1; pivot++) {
      int k = pivot;
      IntStream.range(k, n)
          .parallel()
          .forEach(
              i -> {
                double factor = a[i][k] / a[k][k];
                a[i][k] = factor;
                for (int j = k + 1; j < n; j++) {
                  a[i][j] -= factor * a[k][j];
                }
              });
    }
    System.out.println(a[n - 1][n - 1]);
  }
}
