import mpi.*;

/** Heat in a rod, cut into pieces: each step exchanges the ends with the neighbours. */
public class Jacobi {
  private static final int CELLS = 24;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int first = CELLS * rank / size;
    int cells = CELLS * (rank + 1) / size - first;
    int left = rank == 0 ? MPI.PROC_NULL : rank - 1;
    int right = rank == size - 1 ? MPI.PROC_NULL : rank + 1;
    double[] now = new double[cells + 2];
    double[] next = new double[cells + 2];
    if (rank == 0) {
      now[0] = next[0] = 100;
    }
    double[] change = {1};
    int steps = 0;
    while (change[0] > 1e-3) {
      world.sendRecv(
          MPI.slice(now, 1), 1, MPI.DOUBLE, left, 1,
          MPI.slice(now, cells + 1), 1, MPI.DOUBLE, right, 1);
      world.sendRecv(
          MPI.slice(now, cells), 1, MPI.DOUBLE, right, 2, now, 1, MPI.DOUBLE, left, 2);
      change[0] = 0;
      for (int i = 1; i <= cells; i++) {
        next[i] = (now[i - 1] + now[i + 1]) / 2;
        change[0] = Math.max(change[0], Math.abs(next[i] - now[i]));
      }
      double[] swap = now;
      now = next;
      next = swap;
      world.allReduce(change, 1, MPI.DOUBLE, MPI.MAX);
      steps++;
    }
    if (rank == 0) {
      System.out.println("settled after " + steps + " steps");
    }
    MPI.Finalize();
  }
}
