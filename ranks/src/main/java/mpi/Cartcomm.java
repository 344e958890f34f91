package mpi;

import org.reprise.ranks.Communicator;

/** A communicator whose ranks stand in a {@link Grid}. */
@SuppressWarnings("MemberName")
public class Cartcomm extends Intracomm {
  private final Grid grid;

  Cartcomm(Communicator own, Grid grid) {
    super(own);
    this.grid = grid;
  }

  @Override
  public Object clone() throws MPIException {
    return new Cartcomm(duplicate(RankState.active("clone")), grid);
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
    Misuse.unless(
        remain.length == grid.dims().length,
        "Sub",
        "the grid has " + grid.dims().length + " dimensions; found: ",
        remain.length);
    RankState state = RankState.active("Sub");
    Communicator comm = handle("Sub", state);
    Grid kept = grid.sub(remain);
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
    return new Cartcomm(telling("Sub", () -> state.fabric.split(comm, plane, place)), kept);
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
