import mpi.*;

/** Communicators made of others: messages stay within. Wants 4 ranks or more. */
public class Communicators {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    Intracomm twin = (Intracomm) MPI.COMM_WORLD.clone();
    check(twin.Rank() == me && twin.Size() == size, "the twin");
    check(Comm.Compare(MPI.COMM_WORLD, MPI.COMM_WORLD) == MPI.IDENT, "identical");
    check(Comm.Compare(MPI.COMM_WORLD, twin) == MPI.CONGRUENT, "congruent");
    check(!twin.Test_inter(), "one group");

    // The same source and tag in two communicators: the receive decides which.
    int next = (me + 1) % size;
    int before = (me + size - 1) % size;
    int[] a = new int[1];
    int[] b = new int[1];
    Request one = MPI.COMM_WORLD.Isend(new int[] {1}, 0, 1, MPI.INT, next, 5);
    Request two = twin.Isend(new int[] {2}, 0, 1, MPI.INT, next, 5);
    twin.Recv(b, 0, 1, MPI.INT, before, 5);
    MPI.COMM_WORLD.Recv(a, 0, 1, MPI.INT, before, 5);
    one.Wait();
    two.Wait();
    check(a[0] == 1 && b[0] == 2, "messages stay in their communicator");

    Intracomm parity = MPI.COMM_WORLD.Split(me % 2, -me);
    int expected = (size - 1 - me) / 2;
    check(parity.Rank() == expected, "split by parity, the highest first: " + parity.Rank());
    int[] sum = new int[1];
    parity.Allreduce(new int[] {me}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
    int right = 0;
    for (int r = me % 2; r < size; r += 2) {
      right += r;
    }
    check(sum[0] == right, "sum of those with my parity");
    check(Comm.Compare(parity, MPI.COMM_WORLD) == MPI.UNEQUAL, "unequal");

    Group turned = MPI.COMM_WORLD.Group().Incl(new int[] {2, 0});
    Intracomm pair = MPI.COMM_WORLD.Create(turned);
    if (turned.Rank() != MPI.UNDEFINED) {
      check(pair.Size() == 2 && pair.Rank() == (me == 2 ? 0 : 1), "created");
      int[] box = {me};
      pair.Bcast(box, 0, 1, MPI.INT, 0);
      check(box[0] == 2, "the root is rank 2 of the world");
    }
    check(MPI.COMM_SELF.Size() == 1 && MPI.COMM_SELF.Rank() == 0, "myself");
    twin.Free();
    MPI.COMM_WORLD.Barrier();
    if (me == 0) {
      System.out.println("Communicators: ok");
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
