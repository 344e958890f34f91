import mpi.MPI;

/** Every rank but 0 sends one message, rank 0 receives them from any source. */
public class Gather {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int[] value = {MPI.COMM_WORLD.Rank()};
    if (value[0] > 0) {
      MPI.COMM_WORLD.Send(value, 0, 1, MPI.INT, 0, 0);
    } else {
      int sum = 0;
      for (int r = 1; r < MPI.COMM_WORLD.Size(); r++) {
        MPI.COMM_WORLD.Recv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
        sum += value[0];
      }
      System.out.println(sum);
    }
    MPI.Finalize();
  }
}
