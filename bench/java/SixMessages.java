import mpi.MPI;

/** Ranks 1 and 2 send three messages each, rank 0 receives all of them from any source: 20 executions. */
public class SixMessages {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int[] value = {MPI.COMM_WORLD.Rank()};
    if (value[0] > 0) {
      for (int i = 0; i < 3; i++) {
        MPI.COMM_WORLD.Send(value, 0, 1, MPI.INT, 0, 0);
      }
    } else {
      for (int received = 0; received < 6; received++) {
        MPI.COMM_WORLD.Recv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
      }
    }
    MPI.Finalize();
  }
}
