import mpi.*;

/** Producers and consumers on the two sides of an intercommunicator. */
public class Bridge {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    boolean produces = rank < (size + 1) / 2;
    Intracomm side = MPI.COMM_WORLD.Split(produces ? 0 : 1, rank);
    Intercomm bridge =
        MPI.COMM_WORLD.Create_intercomm(side, 0, produces ? (size + 1) / 2 : 0, 11);
    int[] sum = new int[1];
    if (produces) {
      int consumer = side.Rank() % bridge.Remote_size();
      bridge.Send(new int[] {rank + 1}, 0, 1, MPI.INT, consumer, 0);
    } else {
      int[] item = new int[1];
      for (int p = side.Rank(); p < bridge.Remote_size(); p += side.Size()) {
        bridge.Recv(item, 0, 1, MPI.INT, MPI.ANY_SOURCE, 0);
        sum[0] += item[0];
      }
    }
    Intracomm all = bridge.Merge(!produces);
    int[] total = new int[1];
    all.Allreduce(sum, 0, total, 0, 1, MPI.INT, MPI.SUM);
    if (all.Rank() == 0) {
      System.out.println("consumed " + total[0] + " in all");
    }
    MPI.Finalize();
  }
}
