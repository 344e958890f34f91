import mpi.*;

/** A plucked string; its pieces exchange their ends without blocking. */
public class Wave {
  private static final int POINTS = 16;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int left = rank == 0 ? MPI.PROC_NULL : rank - 1;
    int right = rank == size - 1 ? MPI.PROC_NULL : rank + 1;
    double[] before = new double[POINTS + 2];
    double[] now = new double[POINTS + 2];
    int total = POINTS * size + 1;
    for (int i = 1; i <= POINTS; i++) {
      now[i] = Math.sin(Math.PI * (rank * POINTS + i) / total);
      before[i] = now[i];
    }
    for (int step = 0; step < 2 * total; step++) {
      Request[] requests = {
        MPI.COMM_WORLD.Irecv(now, 0, 1, MPI.DOUBLE, left, 0),
        MPI.COMM_WORLD.Irecv(now, POINTS + 1, 1, MPI.DOUBLE, right, 1),
        MPI.COMM_WORLD.Isend(now, 1, 1, MPI.DOUBLE, left, 1),
        MPI.COMM_WORLD.Isend(now, POINTS, 1, MPI.DOUBLE, right, 0)
      };
      Request.Waitall(requests);
      double[] next = new double[POINTS + 2];
      for (int i = 1; i <= POINTS; i++) {
        next[i] = now[i - 1] + now[i + 1] - before[i];
      }
      before = now;
      now = next;
    }
    double[] high = new double[1];
    double[] highest = new double[1];
    for (double value : now) {
      high[0] = Math.max(high[0], Math.abs(value));
    }
    MPI.COMM_WORLD.Reduce(high, 0, highest, 0, 1, MPI.DOUBLE, MPI.MAX, 0);
    if (rank == 0) {
      System.out.printf("after a period the string is at %.2f%n", highest[0]);
    }
    MPI.Finalize();
  }
}
