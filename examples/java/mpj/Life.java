import mpi.*;

/** Conway's game on columns of ranks: border columns are a vector type. */
public class Life {
  private static final int HEIGHT = 8;
  private static final int WIDTH = 4;
  private static final int LINE = WIDTH + 2;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;
    Datatype column = Datatype.Vector(HEIGHT, 1, LINE, MPI.BYTE);
    column.Commit();
    byte[] cells = new byte[HEIGHT * LINE];
    for (int i = 2; i < 5; i++) {
      cells[i * LINE + 1] = 1;
    }
    for (int generation = 0; generation < 5; generation++) {
      MPI.COMM_WORLD.Sendrecv(cells, 1, 1, column, left, 0, cells, WIDTH + 1, 1, column, right, 0);
      MPI.COMM_WORLD.Sendrecv(cells, WIDTH, 1, column, right, 1, cells, 0, 1, column, left, 1);
      byte[] next = new byte[cells.length];
      for (int i = 0; i < HEIGHT; i++) {
        for (int j = 1; j <= WIDTH; j++) {
          int around = -cells[i * LINE + j];
          for (int k = 0; k < 9; k++) {
            around += cells[(i + k / 3 - 1 + HEIGHT) % HEIGHT * LINE + j + k % 3 - 1];
          }
          boolean lives = around == 3 || (around == 2 && cells[i * LINE + j] == 1);
          next[i * LINE + j] = (byte) (lives ? 1 : 0);
        }
      }
      cells = next;
    }
    int[] alive = new int[1];
    for (byte cell : cells) {
      alive[0] += cell;
    }
    int[] all = new int[1];
    MPI.COMM_WORLD.Reduce(alive, 0, all, 0, 1, MPI.INT, MPI.SUM, 0);
    if (rank == 0) {
      System.out.println(all[0] + " cells live in " + size + " blinkers");
    }
    MPI.Finalize();
  }
}
