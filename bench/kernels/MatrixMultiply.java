import java.util.stream.IntStream;

/** The product of two matrices, a row an iteration. */
final class MatrixMultiply implements Kernel {
  private final int n;
  private final double[][] a;
  private final double[][] b;
  private final double[][] c;

  MatrixMultiply(int n) {
    this.n = n;
    a = new double[n][n];
    b = new double[n][n];
    c = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        a[i][j] = i + j;
        b[i][j] = i - j;
      }
    }
  }

  @Override
  public double run() {
    IntStream.range(0, n)
        .parallel()
        .forEach(
            i -> {
              for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < n; k++) {
                  sum += a[i][k] * b[k][j];
                }
                c[i][j] = sum;
              }
            });
    return c[n / 2][n / 3];
  }
}
