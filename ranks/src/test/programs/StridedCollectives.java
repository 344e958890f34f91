import mpi.*;

/** Collective calls with datatypes that have gaps: columns of matrices. */
public class StridedCollectives {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int n = MPI.COMM_WORLD.Size();
    // A column whose extent is one element, so that the next item is the next column.
    Datatype gaps = Datatype.Vector(n, 1, n, MPI.INT);
    Datatype column =
        Datatype.Struct(
            new int[] {1, 1}, new int[] {0, 1}, new Datatype[] {gaps, MPI.UB});
    column.Commit();

    int[] matrix = new int[n * n];
    int[] row = new int[n];
    for (int i = 0; i < n; i++) {
      row[i] = 10 * me + i;
    }
    MPI.COMM_WORLD.Gather(row, 0, n, MPI.INT, matrix, 0, 1, column, 0);
    for (int r = 0; me == 0 && r < n; r++) {
      for (int i = 0; i < n; i++) {
        check(matrix[i * n + r] == 10 * r + i, "row " + r + " became a column");
      }
    }
    int[] back = new int[n];
    MPI.COMM_WORLD.Scatter(matrix, 0, 1, column, back, 0, n, MPI.INT, 0);
    check(java.util.Arrays.equals(back, row), "scattered again");

    int[] counts = new int[n];
    int[] places = new int[n];
    for (int r = 0; r < n; r++) {
      counts[r] = 1;
      places[r] = n - 1 - r;
    }
    matrix = new int[n * n];
    MPI.COMM_WORLD.Allgatherv(row, 0, n, MPI.INT, matrix, 0, counts, places, column);
    check(matrix[n - 1] == 0 && matrix[n * n - 1] == n - 1, "the first rank has the last column");
    check(matrix[0] == 10 * (n - 1), "the last rank has the first column");

    int[] mine = new int[n * n];
    for (int i = 0; i < n; i++) {
      mine[i * n] = i + 1;
    }
    int[] sum = new int[n * n];
    MPI.COMM_WORLD.Allreduce(mine, 0, sum, 0, 1, column, MPI.SUM);
    for (int i = 0; i < n * n; i++) {
      check(sum[i] == (i % n == 0 ? n * (i / n + 1) : 0), "sum of columns at " + i);
    }
    int[] box = new int[n * n];
    if (me == 0) {
      java.util.Arrays.fill(box, 7);
    }
    MPI.COMM_WORLD.Bcast(box, 1, 1, column, 0);
    check(box[1] == 7 && box[n + 1] == 7 && (me == 0 || box[0] == 0), "bcast of a column");
    MPI.COMM_WORLD.Barrier();
    if (me == 0) {
      System.out.println("StridedCollectives: ok");
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
