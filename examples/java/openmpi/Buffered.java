import java.nio.ByteBuffer;
import mpi.*;

/** Everybody sends before anybody receives, which only buffered sends allow. */
public class Buffered {
  private static final int NUMBERS = 1000;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    ByteBuffer room = MPI.newByteBuffer(8 * NUMBERS + MPI.BSEND_OVERHEAD + 1000);
    MPI.attachBuffer(room);
    long[] numbers = new long[NUMBERS];
    java.util.Arrays.fill(numbers, rank);
    world.bSend(numbers, NUMBERS, MPI.LONG, (rank + 1) % size, 0);
    java.util.Arrays.fill(numbers, -1);
    Status status = world.recv(numbers, NUMBERS, MPI.LONG, MPI.ANY_SOURCE, 0);
    MPI.detachBuffer();
    long[] sum = {java.util.Arrays.stream(numbers).sum() + status.getSource()};
    world.reduce(sum, 1, MPI.LONG, MPI.SUM, 0);
    if (rank == 0) {
      System.out.println("sum " + sum[0]);
    }
    MPI.Finalize();
  }
}
