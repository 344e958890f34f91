import mpi.*;

/** Who has the smallest residue, with its rank beside it. */
public class MinLocation {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int[] pair = {(5 * rank + 3) % 7, rank};
    int[] least = new int[2];
    MPI.COMM_WORLD.Allreduce(pair, 0, least, 0, 1, MPI.INT2, MPI.MINLOC);
    double[] height = {Math.sin(rank), rank};
    double[] top = new double[2];
    MPI.COMM_WORLD.Reduce(height, 0, top, 0, 1, MPI.DOUBLE2, MPI.MAXLOC, 0);
    if (rank == 0) {
      System.out.println(least[0] + " at rank " + least[1] + ", top at rank " + (int) top[1]);
    }
    MPI.Finalize();
  }
}
