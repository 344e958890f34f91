import mpi.*;

/** Elements of several types in one message. */
public class PackedMessages {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    mpjbuf.Buffer buffer =
        new mpjbuf.Buffer(
            mpjbuf.BufferFactory.create(1000 + MPI.SEND_OVERHEAD),
            MPI.SEND_OVERHEAD,
            1000 + MPI.SEND_OVERHEAD);
    if (me == 0) {
      int at = 0;
      at = MPI.COMM_WORLD.Pack(new int[] {1, 2, 3}, 1, 2, MPI.INT, buffer, at);
      at = MPI.COMM_WORLD.Pack(new double[] {1.5}, 0, 1, MPI.DOUBLE, buffer, at);
      at = MPI.COMM_WORLD.Pack(new char[] {'x', 'y'}, 0, 2, MPI.CHAR, buffer, at);
      MPI.COMM_WORLD.Send(new int[] {at}, 0, 1, MPI.INT, 1, 1);
      MPI.COMM_WORLD.Send(buffer, 0, at, MPI.PACKED, 1, 2);
      System.out.println("PackedMessages: ok");
    } else if (me == 1) {
      int[] length = new int[1];
      MPI.COMM_WORLD.Recv(length, 0, 1, MPI.INT, 0, 1);
      MPI.COMM_WORLD.Recv(buffer, 0, length[0], MPI.PACKED, 0, 2);
      int[] ints = new int[2];
      double[] doubles = new double[1];
      char[] chars = new char[2];
      int at = 0;
      at = MPI.COMM_WORLD.Unpack(buffer, at, ints, 0, 2, MPI.INT);
      at = MPI.COMM_WORLD.Unpack(buffer, at, doubles, 0, 1, MPI.DOUBLE);
      at = MPI.COMM_WORLD.Unpack(buffer, at, chars, 0, 2, MPI.CHAR);
      check(at == length[0], "all bytes");
      check(ints[0] == 2 && ints[1] == 3 && doubles[0] == 1.5 && chars[1] == 'y', "unpacked");
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
