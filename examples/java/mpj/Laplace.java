import mpi.*;

/** A plate in strips of rows; the neighbours' border rows come with Sendrecv. */
public class Laplace {
  private static final int WIDTH = 8;
  private static final int ROWS = 3;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int above = rank == 0 ? MPI.PROC_NULL : rank - 1;
    int below = rank == size - 1 ? MPI.PROC_NULL : rank + 1;
    double[][] now = new double[ROWS + 2][WIDTH];
    if (rank == 0) {
      java.util.Arrays.fill(now[0], 50);
    }
    int steps = 0;
    double[] change = {1};
    while (change[0] > 0.01) {
      MPI.COMM_WORLD.Sendrecv(
          now[1], 0, WIDTH, MPI.DOUBLE, above, 1, now[ROWS + 1], 0, WIDTH, MPI.DOUBLE, below, 1);
      MPI.COMM_WORLD.Sendrecv(
          now[ROWS], 0, WIDTH, MPI.DOUBLE, below, 2, now[0], 0, WIDTH, MPI.DOUBLE, above, 2);
      double[][] next = new double[ROWS + 2][];
      next[0] = now[0];
      next[ROWS + 1] = now[ROWS + 1];
      double[] own = new double[1];
      for (int i = 1; i <= ROWS; i++) {
        next[i] = now[i].clone();
        for (int j = 1; j < WIDTH - 1; j++) {
          next[i][j] = (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]) / 4;
          own[0] = Math.max(own[0], Math.abs(next[i][j] - now[i][j]));
        }
      }
      MPI.COMM_WORLD.Allreduce(own, 0, change, 0, 1, MPI.DOUBLE, MPI.MAX);
      now = next;
      steps++;
    }
    if (rank == 0) {
      System.out.printf("%d steps, %.2f below the hot edge%n", steps, now[1][WIDTH / 2]);
    }
    MPI.Finalize();
  }
}
