import mpi.*;

/** Fox's product on a square of ranks: blocks go along rows, others roll up columns. */
public class Fox {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int q = (int) Math.sqrt(MPI.COMM_WORLD.Size());
    Cartcomm grid =
        MPI.COMM_WORLD.Create_cart(new int[] {q, q}, new boolean[] {true, true}, false);
    if (grid != null) {
      multiply(grid, q);
    }
    MPI.Finalize();
  }

  private static void multiply(Cartcomm grid, int q) throws Exception {
    int[] at = grid.Coords(grid.Rank());
    Cartcomm row = grid.Sub(new boolean[] {false, true});
    Cartcomm column = grid.Sub(new boolean[] {true, false});
    double a = 1 + at[0] + at[1];
    double[] b = {1 + at[0] * q + at[1]};
    double c = 0;
    for (int step = 0; step < q; step++) {
      int root = (at[0] + step) % q;
      double[] block = {a};
      row.Bcast(block, 0, 1, MPI.DOUBLE, root);
      c += block[0] * b[0];
      ShiftParms up = column.Shift(0, -1);
      column.Sendrecv_replace(b, 0, 1, MPI.DOUBLE, up.rank_dest, 0, up.rank_source, 0);
    }
    double[] all = new double[q * q];
    grid.Gather(new double[] {c}, 0, 1, MPI.DOUBLE, all, 0, 1, MPI.DOUBLE, 0);
    if (grid.Rank() == 0) {
      System.out.println("product " + java.util.Arrays.toString(all));
    }
  }
}
