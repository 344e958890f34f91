import java.nio.ByteBuffer;
import mpi.*;

/** A glider on a torus that is cut into rows; each generation exchanges the border rows. */
public class GameOfLife {
  private static final int WIDTH = 12;
  private static final int ROWS = 4;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int above = (rank + size - 1) % size;
    int below = (rank + 1) % size;
    ByteBuffer cells = MPI.newByteBuffer((ROWS + 2) * WIDTH);
    if (rank == 0) {
      int[][] glider = {{1, 2}, {2, 3}, {3, 1}, {3, 2}, {3, 3}};
      for (int[] cell : glider) {
        cells.put(cell[0] * WIDTH + cell[1], (byte) 1);
      }
    }
    for (int generation = 0; generation < 8; generation++) {
      Request[] requests = {
        world.iSend(MPI.slice(cells, WIDTH), WIDTH, MPI.BYTE, above, 0),
        world.iSend(MPI.slice(cells, ROWS * WIDTH), WIDTH, MPI.BYTE, below, 1),
        world.iRecv(MPI.slice(cells, (ROWS + 1) * WIDTH), WIDTH, MPI.BYTE, below, 0),
        world.iRecv(MPI.slice(cells, 0), WIDTH, MPI.BYTE, above, 1)
      };
      Request.waitAllStatus(requests);
      byte[] next = new byte[(ROWS + 2) * WIDTH];
      for (int i = 1; i <= ROWS; i++) {
        for (int j = 0; j < WIDTH; j++) {
          int around = -cells.get(i * WIDTH + j);
          for (int k = 0; k < 9; k++) {
            int column = (j + k % 3 - 1 + WIDTH) % WIDTH;
            around += cells.get((i + k / 3 - 1) * WIDTH + column);
          }
          boolean lives = around == 3 || (around == 2 && cells.get(i * WIDTH + j) == 1);
          next[i * WIDTH + j] = (byte) (lives ? 1 : 0);
        }
      }
      cells.clear().put(next);
    }
    int[] alive = new int[1];
    for (int i = WIDTH; i < (ROWS + 1) * WIDTH; i++) {
      alive[0] += cells.get(i);
    }
    int[] all = new int[size];
    world.gather(alive, 1, MPI.INT, all, 1, MPI.INT, 0);
    if (rank == 0) {
      System.out.println("alive: " + java.util.Arrays.stream(all).sum());
    }
    MPI.Finalize();
  }
}
