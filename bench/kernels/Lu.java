import java.util.stream.IntStream;

/** LU factorization without pivoting: below each pivot the rows are iterations of a loop. */
final class Lu implements Kernel {
  private final int n;
  private final double[][] original;
  private final double[][] a;

  Lu(int n) {
    this.n = n;
    original = new double[n][n];
    a = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        original[i][j] = i == j ? n : 1.0 / (1 + i + j);
      }
    }
  }

  @Override
  public double run() {
    for (int i = 0; i < n; i++) {
      System.arraycopy(original[i], 0, a[i], 0, n);
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
    return a[n - 1][n - 1];
  }
}
