import mpi.MPI;

/** As RingAndSum, with a static field that changes: every rank has to load the class anew. */
public class RingAndSumCounted {
  static int received;

  public static void main(String[] args) throws Exception {
    received++;
    RingAndSum.main(args);
    if (received != 1) {
      throw new IllegalStateException("another rank's field, at " + received);
    }
  }
}
