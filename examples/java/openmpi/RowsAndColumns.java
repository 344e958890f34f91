import mpi.*;

/** Splits the ranks into rows and into columns, and adds along both. */
public class RowsAndColumns {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int width = 2;
    Intracomm row = world.split(rank / width, rank);
    Intracomm column = world.split(rank % width, -rank);
    int[] inRow = {rank + 1};
    row.allReduce(inRow, 1, MPI.INT, MPI.SUM);
    int[] inColumn = {rank + 1};
    column.allReduce(inColumn, 1, MPI.INT, MPI.SUM);
    // The key turns the order around: the last rank of the world is the first of its column.
    int[] first = {rank};
    column.bcast(first, 1, MPI.INT, 0);
    int[] all = new int[3 * world.getSize()];
    int[] mine = {inRow[0], inColumn[0], first[0]};
    world.gather(mine, 3, MPI.INT, all, 3, MPI.INT, 0);
    if (rank == 0) {
      System.out.println(java.util.Arrays.toString(all));
    }
    MPI.Finalize();
  }
}
