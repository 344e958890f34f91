import mpi.MPI;

/** As SixMessages, with a static field that changes: every rank of every execution has to load the class anew. */
public class SixMessagesCounted {
  static int received;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int[] value = {MPI.COMM_WORLD.Rank()};
    if (value[0] > 0) {
      for (int i = 0; i < 3; i++) {
        MPI.COMM_WORLD.Send(value, 0, 1, MPI.INT, 0, 0);
      }
    } else {
      while (received < 6) {
        MPI.COMM_WORLD.Recv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
        received++;
      }
    }
    MPI.Finalize();
  }
}
