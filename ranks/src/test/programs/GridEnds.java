import mpi.*;

/** At the end of a dimension that is no ring there is nobody. Wants 4 ranks. */
public class GridEnds {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    Cartcomm line = MPI.COMM_WORLD.Create_cart(new int[] {4}, new boolean[] {false}, false);
    ShiftParms shift = line.Shift(0, 1);
    check(shift.rank_source == (me == 0 ? MPI.PROC_NULL : me - 1), "source");
    check(shift.rank_dest == (me == 3 ? MPI.PROC_NULL : me + 1), "destination");
    int[] got = {-1};
    line.Sendrecv(
        new int[] {me}, 0, 1, MPI.INT, shift.rank_dest, 0, got, 0, 1, MPI.INT, shift.rank_source, 0);
    check(got[0] == me - 1, "from the left");
    Cartcomm pair = MPI.COMM_WORLD.Create_cart(new int[] {2}, new boolean[] {true}, false);
    check(me < 2 ? pair.Rank() == me : pair == null, "those left over are not in it");
    check(line.Map(new int[] {3}, new boolean[] {true}) == (me < 3 ? me : MPI.UNDEFINED), "map");
    Intracomm some = MPI.COMM_WORLD.Split(me == 1 ? MPI.UNDEFINED : 7, 0);
    check(some.Rank() == (me == 1 ? MPI.UNDEFINED : me == 0 ? 0 : me - 1), "without a color");
    MPI.COMM_WORLD.Barrier();
    if (me == 0) {
      System.out.println("GridEnds: ok");
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
