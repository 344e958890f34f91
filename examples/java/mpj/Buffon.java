import java.util.Random;
import mpi.*;

/** Buffon's needle: how often does one that is dropped cross a line? */
public class Buffon {
  private static final int NEEDLES = 30_000;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    Random random = new Random(100 + MPI.COMM_WORLD.Rank());
    int[] crossed = new int[1];
    for (int i = 0; i < NEEDLES; i++) {
      double centre = random.nextDouble() / 2;
      double angle = random.nextDouble() * Math.PI / 2;
      crossed[0] += centre <= Math.sin(angle) / 2 ? 1 : 0;
    }
    int[] total = new int[1];
    MPI.COMM_WORLD.Allreduce(crossed, 0, total, 0, 1, MPI.INT, MPI.SUM);
    double pi = 2.0 * NEEDLES * MPI.COMM_WORLD.Size() / total[0];
    if (MPI.COMM_WORLD.Rank() == 0) {
      System.out.println(Math.abs(pi - Math.PI) < 0.05 ? "about pi" : "not pi: " + pi);
    }
    MPI.Finalize();
  }
}
