import mpi.*;

/** A probe tells source, tag and length of the message that the next receive gets. */
public class Probing {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    if (me == 0) {
      for (int i = 1; i < size; i++) {
        Status there = MPI.COMM_WORLD.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
        int count = there.Get_count(MPI.DOUBLE);
        check(count == there.source + 3, "count " + count + " from " + there.source);
        check(there.tag == 10 * there.source, "tag " + there.tag);
        double[] got = new double[count];
        Status status = MPI.COMM_WORLD.Recv(got, 0, count, MPI.DOUBLE, there.source, there.tag);
        check(status.source == there.source && got[count - 1] == there.source, "message");
      }
      check(MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, 999) == null, "there is no such message");
      MPI.COMM_WORLD.Barrier();
      Status there = null;
      while (there == null) {
        there = MPI.COMM_WORLD.Iprobe(1, 5);
      }
      check(there.Get_count(MPI.BYTE) == 4, "bytes");
      MPI.COMM_WORLD.Recv(new byte[4], 0, 4, MPI.BYTE, 1, 5);
      System.out.println("Probing: ok");
    } else {
      double[] data = new double[me + 3];
      data[me + 2] = me;
      MPI.COMM_WORLD.Send(data, 0, me + 3, MPI.DOUBLE, 0, 10 * me);
      MPI.COMM_WORLD.Barrier();
      if (me == 1) {
        MPI.COMM_WORLD.Send(new byte[4], 0, 4, MPI.BYTE, 0, 5);
      }
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
