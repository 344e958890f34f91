import mpi.*;

/** Persistent requests do the same again at each start. */
public class Persistent {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int[] out = new int[3];
    int[] in = new int[3];
    Prequest[] both = {
      MPI.COMM_WORLD.Send_init(out, 0, 3, MPI.INT, (me + 1) % size, 9),
      MPI.COMM_WORLD.Recv_init(in, 0, 3, MPI.INT, (me + size - 1) % size, 9)
    };
    for (int round = 0; round < 5; round++) {
      java.util.Arrays.fill(out, 10 * round + me);
      Prequest.Startall(both);
      Request.Waitall(both);
      check(in[2] == 10 * round + (me + size - 1) % size, "round " + round + ": " + in[2]);
    }
    Prequest synchronous = MPI.COMM_WORLD.Ssend_init(out, 0, 1, MPI.INT, (me + 1) % size, 10);
    Prequest wild = MPI.COMM_WORLD.Recv_init(in, 1, 1, MPI.INT, MPI.ANY_SOURCE, 10);
    for (int round = 0; round < 3; round++) {
      out[0] = round;
      wild.Start();
      synchronous.Start();
      check(wild.Wait().source == (me + size - 1) % size, "source");
      synchronous.Wait();
      check(in[1] == round, "round " + round);
      MPI.COMM_WORLD.Barrier();
    }
    if (me == 0) {
      System.out.println("Persistent: ok");
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
