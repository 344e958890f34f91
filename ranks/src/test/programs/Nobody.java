import mpi.*;

/** Messages to and from MPI.PROC_NULL, requests that are not active, and cancelled receives. */
public class Nobody {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int[] data = {1, 2};
    MPI.COMM_WORLD.Send(data, 0, 2, MPI.INT, MPI.PROC_NULL, 0);
    MPI.COMM_WORLD.Isend(data, 0, 2, MPI.INT, MPI.PROC_NULL, 0).Wait();
    Status status = MPI.COMM_WORLD.Recv(data, 0, 2, MPI.INT, MPI.PROC_NULL, 0);
    check(status.source == MPI.PROC_NULL && status.Get_count(MPI.INT) == 0, "from nobody");
    check(data[0] == 1 && data[1] == 2, "nothing received");
    check(MPI.REQUEST_NULL.Is_null(), "the null request");
    Request[] none = {MPI.REQUEST_NULL, null};
    check(Request.Waitany(none).index == MPI.UNDEFINED, "none active");
    check(Request.Testany(none) == null && Request.Waitsome(none).length == 0, "none active");
    Request never = MPI.COMM_WORLD.Irecv(data, 0, 2, MPI.INT, MPI.ANY_SOURCE, 77);
    check(never.Test() == null, "nothing has come");
    never.Cancel();
    check(never.Wait().Test_cancelled(), "cancelled");
    MPI.COMM_WORLD.Barrier();
    if (MPI.COMM_WORLD.Rank() == 0) {
      System.out.println("Nobody: ok");
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
