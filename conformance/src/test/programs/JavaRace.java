import java.util.Random;
import mpi.*;

/** Rank 0 prints whose messages it got in which order, a clock and a random number; or one throws. */
public class JavaRace {
  static final int EACH = 20;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    if (args.length > 0 && me == 1) {
      throw new IllegalStateException("thrown by rank 1");
    }
    if (me == 0) {
      StringBuilder order = new StringBuilder();
      for (int i = 0; i < EACH * (MPI.COMM_WORLD.Size() - 1); i++) {
        order.append(MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 0).source);
      }
      System.out.println(order + " " + System.nanoTime() + " " + new Random().nextLong());
    } else {
      for (int i = 0; i < EACH; i++) {
        MPI.COMM_WORLD.Send(new int[] {i}, 0, 1, MPI.INT, 0, 0);
        Thread.sleep((long) (2 * Math.random()));
      }
    }
    MPI.Finalize();
  }
}
