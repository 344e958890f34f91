import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import mpi.*;

/** Collective calls that run while the program does something else. */
public class Overlap {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    IntBuffer seed = MPI.newIntBuffer(1).put(0, rank == 0 ? 17 : 0);
    DoubleBuffer sum = MPI.newDoubleBuffer(1).put(0, rank + 0.5);
    IntBuffer mine = MPI.newIntBuffer(1).put(0, rank * rank);
    IntBuffer all = MPI.newIntBuffer(size);
    IntBuffer out = MPI.newIntBuffer(size);
    IntBuffer in = MPI.newIntBuffer(size);
    for (int i = 0; i < size; i++) {
      out.put(i, 10 * rank + i);
    }
    Request[] requests = {
      world.iBcast(seed, 1, MPI.INT, 0),
      world.iAllReduce(sum, 1, MPI.DOUBLE, MPI.SUM),
      world.iAllGather(mine, 1, MPI.INT, all, 1, MPI.INT),
      world.iAllToAll(out, 1, MPI.INT, in, 1, MPI.INT),
      world.iBarrier()
    };
    long work = 0;
    for (int i = 0; i < 1000; i++) {
      work += i;
    }
    Request.waitAll(requests);
    int squares = 0;
    boolean crossed = true;
    for (int i = 0; i < size; i++) {
      squares += all.get(i);
      crossed &= in.get(i) == 10 * i + rank;
    }
    if (rank == size - 1) {
      System.out.println(
          seed.get(0) + " " + sum.get(0) + " " + squares + " " + crossed + " " + work);
    }
    MPI.Finalize();
  }
}
