import java.util.stream.IntStream;

/** Successive over-relaxation in red-black order, in place. */
final class Sor implements Kernel {
  private final int n;
  private final double[][] grid;

  Sor(int n) {
    this.n = n;
    grid = new double[n][n];
    for (int i = 0; i < n; i++) {
      grid[i][0] = 1;
    }
  }

  @Override
  public double run() {
    double omega = 1.25;
    for (int step = 0; step < 10; step++) {
      for (int colour = 0; colour < 2; colour++) {
        int first = colour;
        IntStream.range(1, n - 1)
            .parallel()
            .forEach(
                i -> {
                  double[] above = grid[i - 1];
                  double[] row = grid[i];
                  double[] below = grid[i + 1];
                  for (int j = 1 + (i + first) % 2; j < n - 1; j += 2) {
                    row[j] =
                        omega * 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1])
                            + (1 - omega) * row[j];
                  }
                });
      }
    }
    return grid[n / 2][1];
  }
}
