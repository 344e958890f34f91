import mpi.*;

/** A matrix in blocks of rows is transposed by one exchange of all with all. */
public class Transpose {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int n = world.getSize();
    // Row "rank" of an n x n matrix; a column of the result comes in as single elements.
    double[] row = new double[n];
    for (int j = 0; j < n; j++) {
      row[j] = rank + j / 10.0;
    }
    double[] column = new double[n];
    world.allToAll(row, 1, MPI.DOUBLE, column, 1, MPI.DOUBLE);
    // The whole matrix at rank 0, whose columns are sent as a type with a stride.
    double[] whole = new double[rank == 0 ? n * n : 0];
    world.gather(row, n, MPI.DOUBLE, whole, n, MPI.DOUBLE, 0);
    Datatype strided = Datatype.createVector(n, 1, n, MPI.DOUBLE);
    Datatype next = Datatype.createResized(strided, 0, 8);
    next.commit();
    double[] again = new double[n];
    world.scatter(whole, 1, next, again, n, MPI.DOUBLE, 0);
    int[] wrong = {java.util.Arrays.equals(column, again) ? 0 : 1};
    world.allReduce(wrong, 1, MPI.INT, MPI.SUM);
    if (rank == 0) {
      System.out.println(java.util.Arrays.toString(column) + ", wrong: " + wrong[0]);
    }
    MPI.Finalize();
  }
}
