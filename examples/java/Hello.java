/*
 * Hello: every rank says who it is.
 *
 * There is no message in it, so there is one order of messages only; but the ranks run at the same time, and who prints
 * first is open. The static field is each rank's own, as in processes.
 *
 *     reprise run -n 4 Hello.java
 */
import mpi.MPI;

public class Hello {
  static int said;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    said++;
    System.out.println("hello from rank " + rank + " of " + size + ", which said it " + said + " time");
    MPI.Finalize();
  }
}
