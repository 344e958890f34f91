import mpi.*;

/** Two groups talk through a communicator between them, and become one. Wants 4 ranks or more. */
public class Inter {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    boolean low = me < size / 2;
    Intracomm mine = MPI.COMM_WORLD.Split(low ? 0 : 1, me);
    Intercomm bridge = MPI.COMM_WORLD.Create_intercomm(mine, 0, low ? size / 2 : 0, 12);
    check(bridge.Test_inter(), "two groups");
    check(bridge.Size() == mine.Size() && bridge.Rank() == mine.Rank(), "my side");
    int there = low ? size - size / 2 : size / 2;
    check(bridge.Remote_size() == there, "the other side: " + bridge.Remote_size());
    check(bridge.Remote_group().Size() == there, "their group");
    if (mine.Rank() < there && mine.Rank() < mine.Size()) {
      int[] got = new int[1];
      Request sent = bridge.Isend(new int[] {me}, 0, 1, MPI.INT, mine.Rank(), 3);
      Status status = bridge.Recv(got, 0, 1, MPI.INT, mine.Rank(), 3);
      sent.Wait();
      check(status.source == mine.Rank(), "source counts in their group");
      check(got[0] == (low ? size / 2 : 0) + mine.Rank(), "from the other side: " + got[0]);
    }
    Intracomm all = bridge.Merge(low);
    check(all.Size() == size, "merged");
    check(all.Rank() == (low ? size - size / 2 + me : me - size / 2), "the high ones come last");
    int[] sum = new int[1];
    all.Allreduce(new int[] {me}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
    check(sum[0] == size * (size - 1) / 2, "sum over all");
    MPI.COMM_WORLD.Barrier();
    if (me == 0) {
      System.out.println("Inter: ok");
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
