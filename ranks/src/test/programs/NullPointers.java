import mpi.*;

/** What a JVM makes of a null pointer stays an exception: an MPI library may not take it for its end. */
public class NullPointers {
  int value = 1;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    NullPointers there = new NullPointers();
    int sum = 0;
    int caught = 0;
    for (int i = 0; i < 300000; i++) {
      NullPointers maybe = i > 200000 && i % 1000 == 0 ? null : there;
      try {
        sum += maybe.value;
      } catch (NullPointerException e) {
        caught++;
      }
    }
    check(caught == 99 && sum == 300000 - 99, "caught " + caught);
    MPI.COMM_WORLD.Barrier();
    if (MPI.COMM_WORLD.Rank() == 0) {
      System.out.println("NullPointers: ok");
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
