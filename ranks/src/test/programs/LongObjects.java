import mpi.*;

/** Objects of any length, some under way at once, completed in another order than they came. */
public class LongObjects {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int next = (me + 1) % size;
    int before = (me + size - 1) % size;
    int[] lengths = {10, 300000, 20000, 5, 100000};
    Request[] sends = new Request[lengths.length];
    Request[] receives = new Request[lengths.length];
    Object[] in = new Object[lengths.length];
    for (int i = 0; i < lengths.length; i++) {
      receives[i] = MPI.COMM_WORLD.Irecv(in, i, 1, MPI.OBJECT, before, 4);
    }
    for (int i = 0; i < lengths.length; i++) {
      Object[] out = {filled(lengths[i], me)};
      if (i % 2 == 0) {
        sends[i] = MPI.COMM_WORLD.Isend(out, 0, 1, MPI.OBJECT, next, 4);
      } else {
        sends[i] = MPI.COMM_WORLD.Issend(out, 0, 1, MPI.OBJECT, next, 4);
      }
    }
    for (int i = lengths.length - 1; i >= 0; i--) {
      receives[i].Wait();
      byte[] got = (byte[]) in[i];
      check(got.length == lengths[i] && got[lengths[i] - 1] == before, "object " + i);
    }
    Request.Waitall(sends);
    if (me == 0) {
      MPI.COMM_WORLD.Send(new Object[] {filled(1 << 20, 7)}, 0, 1, MPI.OBJECT, 1, 5);
    } else if (me == 1) {
      Object[] box = new Object[3];
      Status status = MPI.COMM_WORLD.Recv(box, 0, 3, MPI.OBJECT, MPI.ANY_SOURCE, MPI.ANY_TAG);
      check(status.Get_count(MPI.OBJECT) == 1 && ((byte[]) box[0]).length == 1 << 20, "blocking");
    }
    MPI.COMM_WORLD.Barrier();
    if (me == 0) {
      System.out.println("LongObjects: ok");
    }
    MPI.Finalize();
  }

  static byte[] filled(int length, int value) {
    byte[] bytes = new byte[length];
    java.util.Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
