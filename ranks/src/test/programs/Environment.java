import mpi.*;

/** Where a program is and what time it is. */
public class Environment {
  public static void main(String[] args) throws Exception {
    check(!MPI.Initialized(), "not yet");
    String[] rest = MPI.Init(args);
    check(MPI.Initialized(), "now");
    check(rest.length == 2 && rest[0].equals("one") && rest[1].equals("two words"), "arguments");
    check(!MPI.Get_processor_name().isEmpty(), "a name");
    double before = MPI.Wtime();
    check(MPI.Wtime() >= before && MPI.Wtick() >= 0, "time goes on");
    MPI.COMM_WORLD.Barrier();
    if (MPI.COMM_WORLD.Rank() == 0) {
      System.out.println("Environment: ok, " + MPI.COMM_WORLD.Size() + " ranks");
    }
    MPI.Finalize();
    check(!MPI.Initialized(), "not any more");
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
