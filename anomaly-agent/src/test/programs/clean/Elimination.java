// expect: validated
import java.util.stream.IntStream;

/** Rows below the pivot: each iteration has its own, and all read that of the pivot. */
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
      IntStream.range(k + 1, n)
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
