import mpi.*;

/** Everybody sends and receives at once, and nobody waits in vain. */
public class Exchange {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int next = (me + 1) % size;
    int before = (me + size - 1) % size;
    long[] out = new long[10000];
    long[] in = new long[10000];
    java.util.Arrays.fill(out, me);
    Status status =
        MPI.COMM_WORLD.Sendrecv(
            out, 0, 10000, MPI.LONG, next, 1, in, 0, 10000, MPI.LONG, before, 1);
    check(status.source == before && in[9999] == before, "exchanged");
    MPI.COMM_WORLD.Sendrecv_replace(out, 0, 10000, MPI.LONG, next, 2, MPI.ANY_SOURCE, 2);
    check(out[0] == before && out[9999] == before, "replaced");
    MPI.COMM_WORLD.Barrier();
    if (me == 0) {
      System.out.println("Exchange: ok");
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
