import mpi.*;

/** Items go to ranks in turn; the table of best values runs through them as through a pipe. */
public class Knapsack {
  private static final int ROOM = 20;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int[] weights = {3, 4, 5, 9, 14, 6, 7};
    int[] values = {3, 4, 4, 10, 15, 5, 8};
    int[] best = new int[ROOM + 1];
    for (int item = rank; item < weights.length; item += size) {
      if (item > 0) {
        MPI.COMM_WORLD.Recv(best, 0, ROOM + 1, MPI.INT, (item - 1) % size, item - 1);
      }
      for (int room = ROOM; room >= weights[item]; room--) {
        best[room] = Math.max(best[room], best[room - weights[item]] + values[item]);
      }
      int to = item == weights.length - 1 ? 0 : (item + 1) % size;
      Request sent = MPI.COMM_WORLD.Isend(best.clone(), 0, ROOM + 1, MPI.INT, to, item);
      if (to != rank) {
        sent.Wait();
      }
    }
    if (rank == 0) {
      int last = weights.length - 1;
      MPI.COMM_WORLD.Recv(best, 0, ROOM + 1, MPI.INT, last % size, last);
      System.out.println("the best value is " + best[ROOM]);
    }
    MPI.Finalize();
  }
}
