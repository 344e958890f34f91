import java.nio.DoubleBuffer;
import mpi.*;

/** The same exchange again and again: requests are made once and started in each step. */
public class PersistentHalo {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;
    DoubleBuffer out = MPI.newDoubleBuffer(1);
    DoubleBuffer in = MPI.newDoubleBuffer(2);
    Prequest[] requests = {
      world.recvInit(in, 1, MPI.DOUBLE, left, 1),
      world.recvInit(MPI.slice(in, 1), 1, MPI.DOUBLE, right, 2),
      world.sendInit(out, 1, MPI.DOUBLE, right, 1),
      world.sendInit(out, 1, MPI.DOUBLE, left, 2)
    };
    double value = rank == 0 ? size : 0;
    for (int step = 0; step < 50; step++) {
      out.put(0, value);
      Prequest.startAll(requests);
      Request.waitAll(requests);
      value = (in.get(0) + 2 * value + in.get(1)) / 4;
    }
    for (Prequest request : requests) {
      request.free();
    }
    double[] range = {value, -value};
    world.allReduce(range, 2, MPI.DOUBLE, MPI.MAX);
    if (rank == 0) {
      System.out.printf("between %.3f and %.3f%n", Math.abs(range[1]), range[0]);
    }
    MPI.Finalize();
  }
}
