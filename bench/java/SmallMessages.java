import mpi.MPI;

/**
 * Two ranks send one int back and forth; rank 0 prints the time of one message, the best of many blocks. With the word
 * "any" they receive from any source.
 */
public class SmallMessages {
  static final int BLOCKS = 40;
  static final int ROUND_TRIPS = 10_000;

  public static void main(String[] args) throws Exception {
    String[] own = MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int source = own.length > 0 && own[0].equals("any") ? MPI.ANY_SOURCE : 1 - rank;
    int[] buffer = new int[1];
    long best = Long.MAX_VALUE;
    for (int block = 0; block < BLOCKS; block++) {
      long begin = System.nanoTime();
      for (int i = 0; i < ROUND_TRIPS; i++) {
        if (rank == 0) {
          MPI.COMM_WORLD.Send(buffer, 0, 1, MPI.INT, 1, 0);
          MPI.COMM_WORLD.Recv(buffer, 0, 1, MPI.INT, source, 0);
        } else {
          MPI.COMM_WORLD.Recv(buffer, 0, 1, MPI.INT, source, 0);
          MPI.COMM_WORLD.Send(buffer, 0, 1, MPI.INT, 0, 0);
        }
      }
      best = Math.min(best, System.nanoTime() - begin);
    }
    if (rank == 0) {
      System.out.println("nanos " + best / (2 * ROUND_TRIPS));
    }
    MPI.Finalize();
  }
}
