import mpi.*;
import mpjbuf.Buffer;

/** Parameters of several types in one message, packed by hand. */
public class Packed {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int[] sizes = rank == 0 ? new int[] {3, 4} : new int[2];
    double[] factor = {rank == 0 ? 0.25 : 0};
    int bytes =
        MPI.COMM_WORLD.Pack_size(2, MPI.INT) + MPI.COMM_WORLD.Pack_size(1, MPI.DOUBLE);
    Buffer buffer = new Buffer(bytes);
    if (rank == 0) {
      int position = MPI.COMM_WORLD.Pack(sizes, 0, 2, MPI.INT, buffer, 0);
      MPI.COMM_WORLD.Pack(factor, 0, 1, MPI.DOUBLE, buffer, position);
      for (int dest = 1; dest < MPI.COMM_WORLD.Size(); dest++) {
        MPI.COMM_WORLD.Send(buffer, 0, bytes, MPI.PACKED, dest, 0);
      }
    } else {
      MPI.COMM_WORLD.Recv(buffer, 0, bytes, MPI.PACKED, 0, 0);
      int position = MPI.COMM_WORLD.Unpack(buffer, 0, sizes, 0, 2, MPI.INT);
      MPI.COMM_WORLD.Unpack(buffer, position, factor, 0, 1, MPI.DOUBLE);
    }
    double[] product = {sizes[0] * sizes[1] * factor[0]};
    double[] sum = new double[1];
    MPI.COMM_WORLD.Reduce(product, 0, sum, 0, 1, MPI.DOUBLE, MPI.SUM, 0);
    if (rank == 0) {
      System.out.println("sum " + sum[0]);
    }
    MPI.Finalize();
  }
}
