import mpi.*;

/** Scatter, work, gather: the first program of every course. */
public class VectorSum {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int each = 5;
    int[] all = new int[each * size];
    for (int i = 0; rank == 0 && i < all.length; i++) {
      all[i] = i + 1;
    }
    int[] mine = new int[each];
    MPI.COMM_WORLD.Scatter(all, 0, each, MPI.INT, mine, 0, each, MPI.INT, 0);
    int[] sum = new int[1];
    for (int value : mine) {
      sum[0] += value;
    }
    int[] sums = new int[size];
    MPI.COMM_WORLD.Gather(sum, 0, 1, MPI.INT, sums, 0, 1, MPI.INT, 0);
    if (rank == 0) {
      System.out.println("sums " + java.util.Arrays.toString(sums));
    }
    MPI.Finalize();
  }
}
