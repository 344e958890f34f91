import mpi.*;

/** Requests that are made once and started again in each step. */
public class Persistent {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int[] out = {rank};
    int[] in = new int[1];
    Prequest[] requests = {
      MPI.COMM_WORLD.Recv_init(in, 0, 1, MPI.INT, (rank + size - 1) % size, 0),
      MPI.COMM_WORLD.Send_init(out, 0, 1, MPI.INT, (rank + 1) % size, 0)
    };
    int sum = 0;
    for (int step = 0; step < size; step++) {
      Prequest.Startall(requests);
      Request.Waitall(requests);
      sum += in[0];
      out[0] = in[0];
    }
    int[] sums = new int[size];
    MPI.COMM_WORLD.Gather(new int[] {sum}, 0, 1, MPI.INT, sums, 0, 1, MPI.INT, 0);
    if (rank == 0) {
      System.out.println(java.util.Arrays.toString(sums));
    }
    MPI.Finalize();
  }
}
