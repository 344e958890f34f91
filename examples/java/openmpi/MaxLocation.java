import java.nio.ByteBuffer;
import mpi.*;

/** The largest value and who has it; the smallest of integers as well. */
public class MaxLocation {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    ByteBuffer mine = MPI.newByteBuffer(16);
    DoubleInt.Data pair = MPI.doubleInt.getData(mine);
    pair.putValue(Math.cos(rank - 1));
    pair.putIndex(rank);
    ByteBuffer best = MPI.newByteBuffer(16);
    world.reduce(mine, best, 1, MPI.DOUBLE_INT, MPI.MAXLOC, 0);
    ByteBuffer ints = MPI.newByteBuffer(8);
    Int2.Data small = MPI.int2.getData(ints);
    small.putValue((rank + 1) % world.getSize());
    small.putIndex(rank);
    world.allReduce(ints, 1, MPI.INT2, MPI.MINLOC);
    if (rank == 0) {
      DoubleInt.Data found = MPI.doubleInt.getData(best);
      System.out.println(
          found.getValue() + " at rank " + found.getIndex() + ", "
              + small.getValue() + " at rank " + small.getIndex());
    }
    MPI.Finalize();
  }
}
