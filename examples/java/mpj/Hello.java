import mpi.*;

/** Names travel as objects; rank 0 prints them in the order of ranks. */
public class Hello {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    String[] greeting = {"hello from " + rank};
    String[] all = new String[size];
    MPI.COMM_WORLD.Gather(greeting, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT, 0);
    if (rank == 0) {
      System.out.println(String.join(", ", all));
    }
    MPI.Finalize();
  }
}
