import mpi.*;

/** Gaussian elimination: rows are dealt out like cards, and each pivot row is broadcast by its owner. */
public class Gauss {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int n = 6;
    double[][] rows = new double[n][];
    for (int r = me; r < n; r += size) {
      rows[r] = new double[n + 1];
      double sum = 0;
      for (int c = 0; c < n; c++) {
        rows[r][c] = r == c ? n + 1 : 1.0 / (1 + Math.abs(r - c));
        sum += rows[r][c] * (c + 1);
      }
      rows[r][n] = sum;
    }
    double[] pivot = new double[n + 1];
    for (int p = 0; p < n; p++) {
      int owner = p % size;
      if (me == owner) {
        System.arraycopy(rows[p], 0, pivot, 0, n + 1);
      }
      MPI.COMM_WORLD.Bcast(pivot, p, n + 1 - p, MPI.DOUBLE, owner);
      for (int r = me; r < n; r += size) {
        if (r != p) {
          double factor = rows[r][p] / pivot[p];
          for (int c = p; c <= n; c++) {
            rows[r][c] -= factor * pivot[c];
          }
        }
      }
    }
    double[] mine = new double[n];
    for (int r = me; r < n; r += size) {
      mine[r] = rows[r][n] / rows[r][r];
    }
    double[] x = new double[n];
    MPI.COMM_WORLD.Reduce(mine, 0, x, 0, n, MPI.DOUBLE, MPI.SUM, 0);
    if (me == 0) {
      StringBuilder text = new StringBuilder("solution:");
      for (double value : x) {
        text.append(' ').append(Math.round(value * 1000) / 1000.0);
      }
      System.out.println(text);
    }
    MPI.Finalize();
  }
}
