import mpi.*;

/** Floyd and Warshall: the owner of row k tells it to all in step k. */
public class ShortestPaths {
  private static final int N = 9;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int[][] distance = new int[N][N];
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++) {
        distance[i][j] = i == j ? 0 : j == (i + 1) % N ? 2 : i == (j + 1) % N ? 3 : 1000;
      }
    }
    for (int k = 0; k < N; k++) {
      MPI.COMM_WORLD.Bcast(distance[k], 0, N, MPI.INT, k % size);
      for (int i = rank; i < N; i += size) {
        for (int j = 0; j < N; j++) {
          distance[i][j] = Math.min(distance[i][j], distance[i][k] + distance[k][j]);
        }
      }
    }
    int[] sum = new int[1];
    for (int i = rank; i < N; i += size) {
      sum[0] += java.util.Arrays.stream(distance[i]).sum();
    }
    int[] all = new int[1];
    MPI.COMM_WORLD.Reduce(sum, 0, all, 0, 1, MPI.INT, MPI.SUM, 0);
    if (rank == 0) {
      System.out.println("all distances together: " + all[0]);
    }
    MPI.Finalize();
  }
}
