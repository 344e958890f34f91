import java.nio.ByteBuffer;
import mpi.*;

/** Pairs of ranks play messages of growing length back and forth in direct buffers. */
public class PingPong {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.getRank();
    int partner = rank ^ 1;
    long[] bytes = new long[1];
    double begin = MPI.wtime();
    if (partner < MPI.COMM_WORLD.getSize()) {
      for (int length = 1; length <= 1 << 12; length *= 4) {
        ByteBuffer ball = MPI.newByteBuffer(length);
        if (rank < partner) {
          ball.put(length - 1, (byte) 42);
          MPI.COMM_WORLD.send(ball, length, MPI.BYTE, partner, 0);
          ball.put(length - 1, (byte) 0);
          MPI.COMM_WORLD.recv(ball, length, MPI.BYTE, partner, 0);
          bytes[0] += ball.get(length - 1) == 43 ? 2L * length : 0;
        } else {
          MPI.COMM_WORLD.recv(ball, length, MPI.BYTE, partner, 0);
          ball.put(length - 1, (byte) (ball.get(length - 1) + 1));
          MPI.COMM_WORLD.send(ball, length, MPI.BYTE, partner, 0);
        }
      }
    }
    if (MPI.wtime() < begin) {
      throw new IllegalStateException("the clock runs backwards");
    }
    MPI.COMM_WORLD.allReduce(bytes, 1, MPI.LONG, MPI.SUM);
    if (rank == 0) {
      System.out.println(bytes[0] + " bytes played");
    }
    MPI.Finalize();
  }
}
