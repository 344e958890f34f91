import java.util.stream.IntStream;

/**
 * Multi-directional search (Torczon 1989), the first program of Hood, Kennedy and Mellor-Crummey
 * 1990, 3.2: a simplex is reflected, expanded and contracted; its vertices are the iterations.
 */
final class Search implements Kernel {
  private final int n;
  private double[][] simplex;
  private double[][] reflected;
  private double[][] expanded;
  private final double[] values;
  private final double[] tried;

  Search(int n) {
    this.n = n;
    simplex = new double[n + 1][n];
    reflected = new double[n + 1][n];
    expanded = new double[n + 1][n];
    values = new double[n + 1];
    tried = new double[n + 1];
  }

  /** A chain of Rosenbrock's valleys, a few times over so that a value costs something. */
  private static double value(double[] point) {
    double sum = 0;
    for (int again = 0; again < 4; again++) {
      for (int i = 0; i + 1 < point.length; i++) {
        double bend = point[i + 1] - point[i] * point[i];
        double slope = 1 - point[i];
        sum += 100 * bend * bend + slope * slope;
      }
    }
    return sum;
  }

  private void evaluate(double[][] points, double[] into) {
    IntStream.rangeClosed(1, n).parallel().forEach(i -> into[i] = value(points[i]));
  }

  private void move(double[][] from, double[][] to, double factor) {
    IntStream.rangeClosed(1, n)
        .parallel()
        .forEach(
            i -> {
              for (int j = 0; j < n; j++) {
                to[i][j] = (1 - factor) * from[0][j] + factor * from[i][j];
              }
            });
  }

  @Override
  public double run() {
    for (int i = 0; i <= n; i++) {
      for (int j = 0; j < n; j++) {
        simplex[i][j] = i == j + 1 ? 1.5 : -1.2;
      }
    }
    values[0] = value(simplex[0]);
    evaluate(simplex, values);
    for (int step = 0; step < 20; step++) {
      int best = 0;
      for (int i = 1; i <= n; i++) {
        if (values[i] < values[best]) {
          best = i;
        }
      }
      double[] row = simplex[0];
      simplex[0] = simplex[best];
      simplex[best] = row;
      double kept = values[0];
      values[0] = values[best];
      values[best] = kept;
      System.arraycopy(simplex[0], 0, reflected[0], 0, n);
      System.arraycopy(simplex[0], 0, expanded[0], 0, n);
      move(simplex, reflected, -1);
      evaluate(reflected, tried);
      boolean better = false;
      for (int i = 1; i <= n; i++) {
        better |= tried[i] < values[0];
      }
      double[][] taken = reflected;
      if (!better) {
        move(simplex, expanded, 0.5);
        evaluate(expanded, tried);
        taken = expanded;
      }
      System.arraycopy(tried, 1, values, 1, n);
      double[][] swapped = simplex;
      simplex = taken;
      if (taken == reflected) {
        reflected = swapped;
      } else {
        expanded = swapped;
      }
    }
    return values[0];
  }
}
