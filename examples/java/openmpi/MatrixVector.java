import mpi.*;

/** Rows are dealt out unevenly, the vector is known to all, the product is collected. */
public class MatrixVector {
  private static final int N = 10;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int[] rows = new int[size];
    int[] counts = new int[size];
    int[] starts = new int[size];
    int[] firstRow = new int[size];
    for (int r = 0, next = 0; r < size; r++) {
      rows[r] = N / size + (r < N % size ? 1 : 0);
      firstRow[r] = next;
      counts[r] = rows[r] * N;
      starts[r] = next * N;
      next += rows[r];
    }
    double[] matrix = new double[rank == 0 ? N * N : 0];
    double[] vector = new double[N];
    if (rank == 0) {
      for (int i = 0; i < N * N; i++) {
        matrix[i] = i / N + i % N;
      }
      java.util.Arrays.fill(vector, 1);
    }
    world.bcast(vector, N, MPI.DOUBLE, 0);
    double[] mine = new double[counts[rank]];
    world.scatterv(matrix, counts, starts, MPI.DOUBLE, mine, mine.length, MPI.DOUBLE, 0);
    double[] part = new double[rows[rank]];
    for (int i = 0; i < part.length; i++) {
      for (int j = 0; j < N; j++) {
        part[i] += mine[i * N + j] * vector[j];
      }
    }
    double[] product = new double[N];
    world.gatherv(part, part.length, MPI.DOUBLE, product, rows, firstRow, MPI.DOUBLE, 0);
    if (rank == 0) {
      System.out.println(java.util.Arrays.toString(product));
    }
    MPI.Finalize();
  }
}
