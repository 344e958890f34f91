import mpi.*;

/** Two ranks send a message to and fro; prints for each size the best time one way, in microseconds. */
public class PingPong {
  public static void main(String[] args) throws Exception {
    String[] own = MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int blocks = own.length > 0 ? Integer.parseInt(own[0]) : 20;
    for (int bytes : new int[] {8, 1024, 65536, 1048576}) {
      byte[] buffer = new byte[bytes];
      int rounds = bytes > 1024 ? 20 : 500;
      double best = 1e9;
      // The JVM compiles while it runs: as many blocks again before those that count.
      for (int block = -blocks; block < blocks; block++) {
        double seconds = once(buffer, rounds, rank);
        if (block >= 0 && seconds < best) {
          best = seconds;
        }
      }
      if (rank == 0) {
        System.out.println(bytes + " " + Math.round(best * 1e9) / 1e3);
      }
    }
    MPI.Finalize();
  }

  static double once(byte[] buffer, int rounds, int rank) throws Exception {
    int n = buffer.length;
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      if (rank == 0) {
        MPI.COMM_WORLD.Send(buffer, 0, n, MPI.BYTE, 1, 0);
        MPI.COMM_WORLD.Recv(buffer, 0, n, MPI.BYTE, 1, 0);
      } else {
        MPI.COMM_WORLD.Recv(buffer, 0, n, MPI.BYTE, 0, 0);
        MPI.COMM_WORLD.Send(buffer, 0, n, MPI.BYTE, 0, 0);
      }
    }
    return (System.nanoTime() - start) / 1e9 / rounds / 2;
  }
}
