import java.util.Random;
import mpi.*;

/** Throws darts at a quarter of a circle; the seeds make the result the same each time. */
public class MonteCarlo {
  private static final int DARTS = 20_000;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Random random = new Random(1 + MPI.COMM_WORLD.getRank());
    long[] hits = new long[1];
    for (int i = 0; i < DARTS; i++) {
      double x = random.nextDouble();
      double y = random.nextDouble();
      hits[0] += x * x + y * y <= 1 ? 1 : 0;
    }
    MPI.COMM_WORLD.reduce(hits, 1, MPI.LONG, MPI.SUM, 0);
    if (MPI.COMM_WORLD.getRank() == 0) {
      double pi = 4.0 * hits[0] / DARTS / MPI.COMM_WORLD.getSize();
      System.out.println(Math.abs(pi - Math.PI) < 0.05 ? "pi to one digit: 3.1" : "far off: " + pi);
    }
    MPI.Finalize();
  }
}
