package mpi;

import org.reprise.ranks.fabric.Communicator;

/** A communicator whose ranks stand in a {@link Grid}. */
@SuppressWarnings("MemberName")
public class Cartcomm extends Intracomm {
  final Grid grid;

  Cartcomm(Communicator own, Grid grid) {
    super(own);
    this.grid = grid;
  }

  @Override
  public Cartcomm clone() throws MPIException {
    return new Cartcomm(duplicate("clone"), grid);
  }

  public int Rank(int[] coords) throws MPIException {
    return grid.rank("Rank", coords);
  }

  public int[] Coords(int rank) throws MPIException {
    return grid.coords("Coords", rank);
  }

  /** From whom and to whom, if everybody moves by a displacement along a dimension. */
  public ShiftParms Shift(int direction, int disp) throws MPIException {
    Misuse.unless(
        direction >= 0 && direction < grid.dims().length,
        "Shift",
        "the grid has " + grid.dims().length + " dimensions; found: ",
        direction);
    int[] here = Coords(Rank());
    return new ShiftParms(
        grid.neighbour(here, direction, -disp), grid.neighbour(here, direction, disp));
  }

  /** The grid of those who differ only in the dimensions that remain. */
  public Cartcomm Sub(boolean[] remain) throws MPIException {
    return new Cartcomm(plane("Sub", remain), grid.sub(remain));
  }

  final Communicator plane(String call, boolean[] remain) {
    Misuse.unless(
        remain.length == grid.dims().length,
        call,
        "the grid has " + grid.dims().length + " dimensions; found: ",
        remain.length);
    RankState state = RankState.active(call);
    Communicator comm = handle(call, state);
    int[] here = Coords(comm.rank());
    int color = 0;
    int key = 0;
    for (int i = 0; i < remain.length; i++) {
      if (remain[i]) {
        key = key * grid.dims()[i] + here[i];
      } else {
        color = color * grid.dims()[i] + here[i];
      }
    }
    int plane = color;
    int place = key;
    return telling(call, () -> state.fabric.split(comm, plane, place));
  }

  /** Where the calling rank would be in such a grid. */
  public int Map(int[] dims, boolean[] periods) throws MPIException {
    int rank = Rank();
    return rank < Grid.of("Map", dims, periods).size() ? rank : MPI.UNDEFINED;
  }

  public CartParms Get() throws MPIException {
    return new CartParms(grid.dims().clone(), grid.periods().clone(), Coords(Rank()));
  }

  @Override
  public int Topo_test() throws MPIException {
    return MPI.CART;
  }

  /** Fills in the dimensions that are 0. */
  public static void Dims_create(int nnodes, int[] dims) throws MPIException {
    Grid.fill(nnodes, dims);
  }
}
