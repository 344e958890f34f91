import mpi.*;

/** Cannon's product of two matrices on the largest square of ranks; blocks roll over a torus. */
public class Cannon {
  private static final int BLOCK = 3;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int q = (int) Math.sqrt(MPI.COMM_WORLD.getSize());
    CartComm torus =
        MPI.COMM_WORLD.createCart(new int[] {q, q}, new boolean[] {true, true}, false);
    double[] trace = new double[1];
    if (!torus.isNull()) {
      int[] at = torus.getCoords(torus.getRank());
      double[] a = new double[BLOCK * BLOCK];
      double[] b = new double[BLOCK * BLOCK];
      double[] c = new double[BLOCK * BLOCK];
      for (int i = 0; i < BLOCK; i++) {
        for (int j = 0; j < BLOCK; j++) {
          a[i * BLOCK + j] = at[0] * BLOCK + i + 1;
          b[i * BLOCK + j] = at[1] * BLOCK + j + 1;
        }
      }
      roll(torus, a, 1, at[0]);
      roll(torus, b, 0, at[1]);
      for (int step = 0; step < q; step++) {
        for (int i = 0; i < BLOCK; i++) {
          for (int j = 0; j < BLOCK; j++) {
            for (int k = 0; k < BLOCK; k++) {
              c[i * BLOCK + j] += a[i * BLOCK + k] * b[k * BLOCK + j];
            }
          }
        }
        roll(torus, a, 1, 1);
        roll(torus, b, 0, 1);
      }
      for (int i = 0; at[0] == at[1] && i < BLOCK; i++) {
        trace[0] += c[i * BLOCK + i];
      }
    }
    MPI.COMM_WORLD.allReduce(trace, 1, MPI.DOUBLE, MPI.SUM);
    if (MPI.COMM_WORLD.getRank() == 0) {
      System.out.println("trace " + (long) trace[0]);
    }
    MPI.Finalize();
  }

  private static void roll(CartComm torus, double[] block, int dimension, int by)
      throws MPIException {
    ShiftParms shift = torus.shift(dimension, -by);
    torus.sendRecvReplace(
        block, block.length, MPI.DOUBLE, shift.getRankDest(), 0, shift.getRankSource(), 0);
  }
}
