package mpi;

/** The shape of a {@link Cartcomm} and where the calling rank is in it. */
public class CartParms {
  public int[] dims;
  public boolean[] periods;
  public int[] coords;

  CartParms(int[] dims, boolean[] periods, int[] coords) {
    this.dims = dims;
    this.periods = periods;
    this.coords = coords;
  }
}
