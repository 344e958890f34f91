import java.nio.DoubleBuffer;
import mpi.*;

/** Heat on a plate on a grid of ranks; columns travel as a vector type, all without blocking. */
public class Heat2D {
  private static final int N = 6;
  private static final int WIDTH = N + 2;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int[] dims = new int[2];
    CartComm.createDims(MPI.COMM_WORLD.getSize(), dims);
    CartComm grid = MPI.COMM_WORLD.createCart(dims, new boolean[] {true, true}, false);
    ShiftParms rows = grid.shift(0, 1);
    ShiftParms columns = grid.shift(1, 1);
    Datatype column = Datatype.createVector(N, 1, WIDTH, MPI.DOUBLE);
    column.commit();
    DoubleBuffer now = MPI.newDoubleBuffer(WIDTH * WIDTH);
    now.put(WIDTH + 1, grid.getRank() + 1);
    for (int step = 0; step < 10; step++) {
      Request[] requests = {
        grid.iRecv(MPI.slice(now, 1), N, MPI.DOUBLE, rows.getRankSource(), 0),
        grid.iRecv(MPI.slice(now, (N + 1) * WIDTH + 1), N, MPI.DOUBLE, rows.getRankDest(), 1),
        grid.iRecv(MPI.slice(now, WIDTH), 1, column, columns.getRankSource(), 2),
        grid.iRecv(MPI.slice(now, WIDTH + N + 1), 1, column, columns.getRankDest(), 3),
        grid.iSend(MPI.slice(now, N * WIDTH + 1), N, MPI.DOUBLE, rows.getRankDest(), 0),
        grid.iSend(MPI.slice(now, WIDTH + 1), N, MPI.DOUBLE, rows.getRankSource(), 1),
        grid.iSend(MPI.slice(now, WIDTH + N), 1, column, columns.getRankDest(), 2),
        grid.iSend(MPI.slice(now, WIDTH + 1), 1, column, columns.getRankSource(), 3)
      };
      Request.waitAll(requests);
      double[] next = new double[WIDTH * WIDTH];
      for (int i = 1; i <= N; i++) {
        for (int j = 1; j <= N; j++) {
          int at = i * WIDTH + j;
          double around =
              now.get(at - 1) + now.get(at + 1) + now.get(at - WIDTH) + now.get(at + WIDTH);
          next[at] = now.get(at) + 0.2 * (around - 4 * now.get(at));
        }
      }
      now.clear().put(next);
    }
    double[] heat = new double[1];
    for (int i = 0; i < WIDTH * WIDTH; i++) {
      heat[0] += now.get(i);
    }
    grid.allReduce(heat, 1, MPI.DOUBLE, MPI.SUM);
    if (grid.getRank() == 0) {
      System.out.printf("the heat is still %.6f%n", heat[0]);
    }
    column.free();
    MPI.Finalize();
  }
}
