import java.nio.ByteBuffer;
import mpi.*;

/** Every way to send reaches a receive, blocking or not. */
public class Modes {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    if (me == 0) {
      int[] data = {1, 2, 3, 4, 5};
      // A ready send may be called only when its receive is posted.
      MPI.COMM_WORLD.Barrier();
      MPI.Buffer_attach(ByteBuffer.allocateDirect(1 << 16));
      for (int to = 1; to < size; to++) {
        MPI.COMM_WORLD.Send(data, 0, 5, MPI.INT, to, 0);
        MPI.COMM_WORLD.Ssend(data, 1, 4, MPI.INT, to, 1);
        MPI.COMM_WORLD.Bsend(data, 2, 3, MPI.INT, to, 2);
        MPI.COMM_WORLD.Rsend(data, 3, 2, MPI.INT, to, 3);
        Request[] requests = {
          MPI.COMM_WORLD.Isend(data, 4, 1, MPI.INT, to, 4),
          MPI.COMM_WORLD.Issend(data, 0, 5, MPI.INT, to, 5),
          MPI.COMM_WORLD.Ibsend(data, 0, 5, MPI.INT, to, 6),
          MPI.COMM_WORLD.Irsend(data, 0, 5, MPI.INT, to, 7)
        };
        Request.Waitall(requests);
        for (Request request : requests) {
          check(request.Is_null(), "a completed request is null");
        }
      }
      MPI.Buffer_detach();
    } else {
      int[] counts = {5, 4, 3, 2, 1, 5, 5, 5};
      int[][] readyGot = new int[counts.length][10];
      Request[] ready = new Request[counts.length];
      ready[3] = MPI.COMM_WORLD.Irecv(readyGot[3], 2, 8, MPI.INT, MPI.ANY_SOURCE, 3);
      ready[7] = MPI.COMM_WORLD.Irecv(readyGot[7], 2, 8, MPI.INT, 0, 7);
      MPI.COMM_WORLD.Barrier();
      for (int tag = 0; tag < counts.length; tag++) {
        int[] got = readyGot[tag];
        Status status;
        if (ready[tag] != null) {
          status = ready[tag].Wait();
        } else if (tag % 2 == 0) {
          status = MPI.COMM_WORLD.Recv(got, 2, 8, MPI.INT, 0, tag);
        } else {
          status = MPI.COMM_WORLD.Irecv(got, 2, 8, MPI.INT, MPI.ANY_SOURCE, tag).Wait();
        }
        check(status.source == 0 && status.tag == tag, "source and tag of " + tag);
        check(status.Get_count(MPI.INT) == counts[tag], "count of " + tag);
        for (int i = 0; i < 10; i++) {
          boolean inside = i >= 2 && i < 2 + counts[tag];
          int first = tag < 5 ? tag + 1 : 1;
          check(got[i] == (inside ? first + i - 2 : 0), "element " + i + " of " + tag);
        }
      }
    }
    MPI.COMM_WORLD.Barrier();
    if (me == 0) {
      System.out.println("Modes: ok");
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
