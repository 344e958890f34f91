/*
 * Jacobi: a system of equations solved by iteration; neighbours exchange borders, all agree on the error.
 *
 * A rod is hot at its left end and cold at its right end. Each rank has a piece of it and repeats: every point becomes the
 * mean of its two neighbours, the borders come from the ranks beside. Every message names its partner, so the result
 * does not depend on the order of anything: one execution.
 *
 *     reprise run -n 4 Jacobi.java [points a rank]
 */
import mpi.MPI;

public class Jacobi {
  private static final int TO_LEFT = 1;
  private static final int TO_RIGHT = 2;
  private static final double GOOD_ENOUGH = 1e-6;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int points = args.length > 0 ? Integer.parseInt(args[0]) : 8;
    int left = rank > 0 ? rank - 1 : MPI.PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI.PROC_NULL;

    // Elements 0 and points + 1 are the borders: of a neighbour, or the ends of the rod.
    double[] now = new double[points + 2];
    double[] then = new double[points + 2];
    now[0] = rank == 0 ? 100 : 0;
    int iterations = 0;
    double[] change = {1};
    while (change[0] > GOOD_ENOUGH) {
      MPI.COMM_WORLD.Sendrecv(
          now, 1, 1, MPI.DOUBLE, left, TO_LEFT,
          now, points + 1, 1, MPI.DOUBLE, right, TO_LEFT);
      MPI.COMM_WORLD.Sendrecv(
          now, points, 1, MPI.DOUBLE, right, TO_RIGHT,
          now, 0, 1, MPI.DOUBLE, left, TO_RIGHT);
      double[] largest = {0};
      for (int i = 1; i <= points; i++) {
        then[i] = (now[i - 1] + now[i + 1]) / 2;
        largest[0] = Math.max(largest[0], Math.abs(then[i] - now[i]));
      }
      System.arraycopy(then, 1, now, 1, points);
      MPI.COMM_WORLD.Allreduce(largest, 0, change, 0, 1, MPI.DOUBLE, MPI.MAX);
      iterations++;
    }

    // In the end the temperature falls evenly from 100 to 0.
    int all = size * points;
    double[] error = {0};
    for (int i = 1; i <= points; i++) {
      double exact = 100.0 * (all + 1 - (rank * points + i)) / (all + 1);
      error[0] = Math.max(error[0], Math.abs(now[i] - exact));
    }
    double[] worst = new double[1];
    MPI.COMM_WORLD.Reduce(error, 0, worst, 0, 1, MPI.DOUBLE, MPI.MAX, 0);
    if (rank == 0) {
      System.out.printf("%d iterations, error %s%n", iterations, worst[0] < 1e-2 ? "below 0.01" : worst[0]);
    }
    MPI.Finalize();
  }
}
