import mpi.*;

/** Each rank tries some places of the first queen. */
public class Queens {
  private static final int N = 7;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int[] mine = new int[1];
    for (int first = MPI.COMM_WORLD.Rank(); first < N; first += MPI.COMM_WORLD.Size()) {
      int[] columns = new int[N];
      columns[0] = first;
      mine[0] += solutions(columns, 1);
    }
    int[] all = new int[1];
    MPI.COMM_WORLD.Reduce(mine, 0, all, 0, 1, MPI.INT, MPI.SUM, 0);
    if (MPI.COMM_WORLD.Rank() == 0) {
      System.out.println(all[0] + " ways to place " + N + " queens");
    }
    MPI.Finalize();
  }

  private static int solutions(int[] columns, int row) {
    if (row == N) {
      return 1;
    }
    int found = 0;
    for (int column = 0; column < N; column++) {
      boolean free = true;
      for (int above = 0; above < row; above++) {
        free &= columns[above] != column && Math.abs(columns[above] - column) != row - above;
      }
      if (free) {
        columns[row] = column;
        found += solutions(columns, row + 1);
      }
    }
    return found;
  }
}
