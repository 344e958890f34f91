/*
 * Ring: a token goes round all ranks, and each adds its number.
 *
 * Every receive names its sender, so nothing can come in another order: "reprise enumerate" finds one execution.
 *
 *     reprise run -n 4 Ring.java
 *     reprise enumerate -n 4 Ring.java
 */
import mpi.MPI;

public class Ring {
  private static final int TOKEN = 1;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int next = (rank + 1) % size;
    int before = (rank + size - 1) % size;
    int[] token = {0};
    if (rank == 0) {
      MPI.COMM_WORLD.Send(token, 0, 1, MPI.INT, next, TOKEN);
      MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, before, TOKEN);
      System.out.println("the token comes back with " + token[0]);
    } else {
      MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, before, TOKEN);
      token[0] += rank;
      MPI.COMM_WORLD.Send(token, 0, 1, MPI.INT, next, TOKEN);
    }
    MPI.Finalize();
  }
}
