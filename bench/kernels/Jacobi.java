import java.util.stream.IntStream;

/** Jacobi iteration on a square: every row of the new grid is an iteration of a parallel loop. */
final class Jacobi implements Kernel {
  private final int n;
  private double[][] now;
  private double[][] next;

  Jacobi(int n) {
    this.n = n;
    now = new double[n][n];
    next = new double[n][n];
    for (int i = 0; i < n; i++) {
      now[i][0] = 1;
      next[i][0] = 1;
    }
  }

  @Override
  public double run() {
    for (int step = 0; step < 10; step++) {
      double[][] from = now;
      double[][] to = next;
      IntStream.range(1, n - 1)
          .parallel()
          .forEach(
              i -> {
                for (int j = 1; j < n - 1; j++) {
                  to[i][j] =
                      0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
                }
              });
      now = to;
      next = from;
    }
    return now[n / 2][1];
  }
}
