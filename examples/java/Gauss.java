/*
 * Gauss: Gaussian elimination with pivots; the rows are dealt out like cards.
 *
 * Row i belongs to rank i mod size. In each step the ranks agree on the row with the largest element (Allreduce with
 * MAXLOC), its owner sends it to all (Bcast), and everybody eliminates. Then the unknowns are found from the last one up.
 * Collective operations have one order, so there is one execution.
 *
 *     reprise run -n 4 Gauss.java [equations]
 */
import mpi.MPI;

public class Gauss {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int n = args.length > 0 ? Integer.parseInt(args[0]) : 12;
    double[] solution = new Elimination(n).solve();
    if (MPI.COMM_WORLD.Rank() == 0) {
      double residual = residual(solution, n);
      System.out.println(n + " equations, residual " + (residual < 1e-9 ? "below 1e-9" : residual));
    }
    MPI.Finalize();
  }

  /** The element of the matrix; column n is the right-hand side. */
  private static double element(int row, int column) {
    int mixed = (row * 31 + column * 17 + row * column) % 23;
    return mixed - 11 + (row + 1.0) / (column + 2);
  }

  private static double residual(double[] x, int n) {
    double worst = 0;
    for (int row = 0; row < n; row++) {
      double sum = -element(row, n);
      for (int column = 0; column < n; column++) {
        sum += element(row, column) * x[column];
      }
      worst = Math.max(worst, Math.abs(sum));
    }
    return worst;
  }

  /** One rank's part of the work. */
  private static final class Elimination {
    private final int rank = MPI.COMM_WORLD.Rank();
    private final int size = MPI.COMM_WORLD.Size();
    private final int n;
    private final double[][] rows;
    private final boolean[] used;

    Elimination(int n) throws Exception {
      this.n = n;
      rows = new double[n][];
      used = new boolean[n];
      for (int row = rank; row < n; row += size) {
        rows[row] = new double[n + 1];
        for (int column = 0; column <= n; column++) {
          rows[row][column] = element(row, column);
        }
      }
    }

    double[] solve() throws Exception {
      int[] pivotOf = new int[n];
      for (int step = 0; step < n; step++) {
        pivotOf[step] = choosePivot(step);
        double[] pivot = share(pivotOf[step]);
        for (int row = rank; row < n; row += size) {
          if (!used[row]) {
            double factor = rows[row][step] / pivot[step];
            for (int column = step; column <= n; column++) {
              rows[row][column] -= factor * pivot[column];
            }
          }
        }
      }
      double[] x = new double[n];
      for (int step = n - 1; step >= 0; step--) {
        double[] pivot = share(pivotOf[step]);
        double sum = pivot[n];
        for (int column = step + 1; column < n; column++) {
          sum -= pivot[column] * x[column];
        }
        x[step] = sum / pivot[step];
      }
      return x;
    }

    /** The unused row with the largest element in this column, the same on all ranks. */
    private int choosePivot(int column) throws Exception {
      double[] mine = {-1, -1};
      for (int row = rank; row < n; row += size) {
        if (!used[row] && Math.abs(rows[row][column]) > mine[0]) {
          mine[0] = Math.abs(rows[row][column]);
          mine[1] = row;
        }
      }
      double[] best = new double[2];
      MPI.COMM_WORLD.Allreduce(mine, 0, best, 0, 1, MPI.DOUBLE2, MPI.MAXLOC);
      int row = (int) best[1];
      used[row] = true;
      return row;
    }

    /** The row's owner sends it to all. */
    private double[] share(int row) throws Exception {
      double[] shared = row % size == rank ? rows[row].clone() : new double[n + 1];
      MPI.COMM_WORLD.Bcast(shared, 0, n + 1, MPI.DOUBLE, row % size);
      return shared;
    }
  }
}
