package mpi;

import org.reprise.ranks.fabric.Communicator;

/** A {@link Cartcomm} in Open MPI's dialect. */
public final class CartComm extends Cartcomm {
  CartComm(Communicator own, Grid grid) {
    super(own, grid);
  }

  @Override
  public CartComm clone() throws MPIException {
    return new CartComm(duplicate("clone"), grid);
  }

  @Override
  public CartComm dup() throws MPIException {
    return clone();
  }

  public CartParms getTopo() throws MPIException {
    return Get();
  }

  public int getRank(int[] coords) throws MPIException {
    return Rank(coords);
  }

  public int[] getCoords(int rank) throws MPIException {
    return Coords(rank);
  }

  public ShiftParms shift(int direction, int disp) throws MPIException {
    return Shift(direction, disp);
  }

  public CartComm sub(boolean[] remainDims) throws MPIException {
    return new CartComm(plane("sub", remainDims), grid.sub(remainDims));
  }

  public int map(int[] dims, boolean[] periods) throws MPIException {
    return Map(dims, periods);
  }

  public static void createDims(int nnodes, int[] dims) throws MPIException {
    Dims_create(nnodes, dims);
  }
}
