import mpi.*;

/** A broadcast by hand, along a tree, and what Bcast makes of the same. */
public class BinomialTree {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    char[] word = rank == 0 ? "tree".toCharArray() : new char[4];
    int have = 1;
    while (have < size) {
      if (rank < have && rank + have < size) {
        MPI.COMM_WORLD.Send(word, 0, 4, MPI.CHAR, rank + have, 0);
      } else if (rank >= have && rank < 2 * have) {
        MPI.COMM_WORLD.Recv(word, 0, 4, MPI.CHAR, rank - have, 0);
      }
      have *= 2;
    }
    char[] same = rank == 0 ? word : new char[4];
    MPI.COMM_WORLD.Bcast(same, 0, 4, MPI.CHAR, 0);
    boolean[] equal = {java.util.Arrays.equals(word, same)};
    boolean[] all = new boolean[1];
    MPI.COMM_WORLD.Allreduce(equal, 0, all, 0, 1, MPI.BOOLEAN, MPI.LAND);
    if (rank == size - 1) {
      System.out.println(new String(word) + " " + all[0]);
    }
    MPI.Finalize();
  }
}
