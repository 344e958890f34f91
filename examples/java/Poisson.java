/*
 * Poisson: a plate with sources of heat; borders travel while the inside is computed.
 *
 * Solves -(u_xx + u_yy) = f on the unit square, u = 0 on its edge, by red-black Gauss-Seidel with over-relaxation. Each
 * rank has a band of rows. Its border rows are on their way (Isend, Irecv) while it works on the rows inside, and Waitall
 * fetches them. f is chosen so that the solution is known: sin(pi x) sin(pi y).
 *
 *     reprise run -n 4 Poisson.java [rows a rank]
 */
import mpi.MPI;
import mpi.Request;

public class Poisson {
  private static final int ROW = 1;
  private static final int SWEEPS = 200;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int rows = args.length > 0 ? Integer.parseInt(args[0]) : 6;
    Band band = new Band(rank, size, rows);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      band.halfSweep(0);
      band.halfSweep(1);
    }
    double[] error = {band.error()};
    double[] worst = new double[1];
    MPI.COMM_WORLD.Reduce(error, 0, worst, 0, 1, MPI.DOUBLE, MPI.MAX, 0);
    if (rank == 0) {
      // What is left is the error of the grid itself, which falls with the square of the spacing.
      double h = 1.0 / (rows * size + 1);
      System.out.println(
          "error " + (worst[0] < h * h ? "below the square of the spacing" : worst[0]));
    }
    MPI.Finalize();
  }

  /** The rows of one rank, with a row of each neighbour above and below. */
  private static final class Band {
    private final int rank;
    private final int size;
    private final int rows;
    private final int n;
    private final double h;
    private final double relaxation;
    private final double[][] u;

    Band(int rank, int size, int rows) {
      this.rank = rank;
      this.size = size;
      this.rows = rows;
      n = rows * size;
      h = 1.0 / (n + 1);
      relaxation = 2 / (1 + Math.sin(Math.PI * h));
      u = new double[rows + 2][n + 2];
    }

    private double exact(int row, int column) {
      return Math.sin(Math.PI * column * h) * Math.sin(Math.PI * (rank * rows + row) * h);
    }

    /** Renews the points of one colour of a chess board. */
    void halfSweep(int colour) throws Exception {
      int above = rank > 0 ? rank - 1 : MPI.PROC_NULL;
      int below = rank < size - 1 ? rank + 1 : MPI.PROC_NULL;
      Request[] underWay = {
        MPI.COMM_WORLD.Irecv(u[0], 0, n + 2, MPI.DOUBLE, above, ROW),
        MPI.COMM_WORLD.Irecv(u[rows + 1], 0, n + 2, MPI.DOUBLE, below, ROW),
        MPI.COMM_WORLD.Isend(u[1].clone(), 0, n + 2, MPI.DOUBLE, above, ROW),
        MPI.COMM_WORLD.Isend(u[rows].clone(), 0, n + 2, MPI.DOUBLE, below, ROW)
      };
      for (int row = 2; row < rows; row++) {
        renew(row, colour);
      }
      Request.Waitall(underWay);
      renew(1, colour);
      if (rows > 1) {
        renew(rows, colour);
      }
    }

    private void renew(int row, int colour) {
      int first = 1 + (rank * rows + row + colour) % 2;
      for (int column = first; column <= n; column += 2) {
        double f = 2 * Math.PI * Math.PI * exact(row, column);
        double mean =
            (u[row - 1][column] + u[row + 1][column] + u[row][column - 1] + u[row][column + 1] + h * h * f) / 4;
        u[row][column] += relaxation * (mean - u[row][column]);
      }
    }

    double error() {
      double worst = 0;
      for (int row = 1; row <= rows; row++) {
        for (int column = 1; column <= n; column++) {
          worst = Math.max(worst, Math.abs(u[row][column] - exact(row, column)));
        }
      }
      return worst;
    }
  }
}
