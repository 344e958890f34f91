import mpi.*;

/** Blocks of rows times a matrix that everybody has; rows are dealt out unevenly. */
public class MatrixMultiply {
  private static final int N = 7;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int[] counts = new int[size];
    int[] starts = new int[size];
    for (int r = 0; r < size; r++) {
      starts[r] = N * r / size * N;
      counts[r] = N * (r + 1) / size * N - starts[r];
    }
    double[] a = new double[N * N];
    double[] b = new double[N * N];
    for (int i = 0; rank == 0 && i < N * N; i++) {
      a[i] = i % (N + 1) == 0 ? 2 : 0;
      b[i] = i;
    }
    double[] rows = new double[counts[rank]];
    MPI.COMM_WORLD.Scatterv(
        a, 0, counts, starts, MPI.DOUBLE, rows, 0, rows.length, MPI.DOUBLE, 0);
    MPI.COMM_WORLD.Bcast(b, 0, N * N, MPI.DOUBLE, 0);
    double[] part = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      for (int k = 0; k < N; k++) {
        part[i] += rows[i / N * N + k] * b[k * N + i % N];
      }
    }
    double[] c = new double[N * N];
    MPI.COMM_WORLD.Allgatherv(
        part, 0, part.length, MPI.DOUBLE, c, 0, counts, starts, MPI.DOUBLE);
    int wrong = 0;
    for (int i = 0; i < N * N; i++) {
      wrong += c[i] == 2 * b[i] ? 0 : 1;
    }
    if (rank == size - 1) {
      System.out.println("twice the matrix, " + wrong + " wrong");
    }
    MPI.Finalize();
  }
}
