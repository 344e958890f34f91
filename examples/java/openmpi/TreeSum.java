import java.nio.LongBuffer;
import mpi.*;

/** A sum that climbs a binary tree, and the result that comes down again, by messages alone. */
public class TreeSum {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Comm world = MPI.COMM_WORLD;
    int me = world.getRank();
    int size = world.getSize();
    long[] sum = {(me + 1L) * (me + 1L)};
    long[] other = new long[1];
    int step = 1;
    while (step < size && me % (2 * step) == 0) {
      if (me + step < size) {
        world.recv(other, 1, MPI.LONG, me + step, step);
        sum[0] += other[0];
      }
      step *= 2;
    }
    LongBuffer result = MPI.newLongBuffer(1);
    if (me == 0) {
      result.put(0, sum[0]);
    } else {
      world.send(sum, 1, MPI.LONG, me - step, step);
      world.iRecv(result, 1, MPI.LONG, me - step, 0).waitFor();
    }
    for (int below = step / 2; below > 0; below /= 2) {
      if (me + below < size) {
        world.send(result, 1, MPI.LONG, me + below, 0);
      }
    }
    world.barrier();
    if (me == size - 1) {
      System.out.println("sum of squares: " + result.get(0));
    }
    MPI.Finalize();
  }
}
