import java.nio.ByteBuffer;
import mpi.*;

/** All send before they receive; a buffer of the program's own makes that safe. */
public class Buffered {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    MPI.Buffer_attach(ByteBuffer.allocateDirect(10_000 + MPI.BSEND_OVERHEAD));
    float[] out = new float[500];
    java.util.Arrays.fill(out, rank + 0.5f);
    MPI.COMM_WORLD.Bsend(out, 0, out.length, MPI.FLOAT, (rank + 1) % size, 0);
    float[] in = new float[500];
    MPI.COMM_WORLD.Recv(in, 0, in.length, MPI.FLOAT, (rank + size - 1) % size, 0);
    MPI.Buffer_detach();
    float[] sum = new float[1];
    MPI.COMM_WORLD.Reduce(in, 499, sum, 0, 1, MPI.FLOAT, MPI.SUM, 0);
    if (rank == 0) {
      System.out.println("sum " + sum[0]);
    }
    MPI.Finalize();
  }
}
