import java.util.Arrays;
import mpi.*;

/** Grids and graphs of ranks. Wants 4 ranks. */
public class Topologies {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int[] dims = {0, 0};
    Cartcomm.Dims_create(12, dims);
    check(Arrays.equals(dims, new int[] {4, 3}), "12 in two dimensions");
    dims = new int[] {0, 0, 0};
    Cartcomm.Dims_create(8, dims);
    check(Arrays.equals(dims, new int[] {2, 2, 2}), "8 in three dimensions");
    dims = new int[] {0, 3};
    Cartcomm.Dims_create(6, dims);
    check(Arrays.equals(dims, new int[] {2, 3}), "what is given stays");

    boolean[] periods = {true, false};
    Cartcomm grid = MPI.COMM_WORLD.Create_cart(new int[] {2, 2}, periods, false);
    check(grid.Topo_test() == MPI.CART, "a grid");
    int[] here = grid.Coords(me);
    check(here[0] == me / 2 && here[1] == me % 2, "coordinates");
    check(grid.Rank(new int[] {1, 0}) == 2, "rank at a place");
    ShiftParms down = grid.Shift(0, 1);
    check(down.rank_source == (me + 2) % 4 && down.rank_dest == (me + 2) % 4, "around the ring");
    CartParms shape = grid.Get();
    check(shape.dims[0] == 2 && shape.periods[0] && !shape.periods[1], "shape");
    check(shape.coords[1] == me % 2, "place in the shape");

    Cartcomm row = grid.Sub(new boolean[] {false, true});
    check(row.Size() == 2 && row.Rank() == me % 2, "a row");
    int[] sum = new int[1];
    row.Allreduce(new int[] {me}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
    check(sum[0] == (me / 2) * 4 + 1, "sum of a row: " + sum[0]);

    int[] index = {2, 3, 4, 6};
    int[] edges = {1, 3, 0, 3, 0, 2};
    Graphcomm graph = MPI.COMM_WORLD.Create_graph(index, edges, false);
    check(graph.Topo_test() == MPI.GRAPH && graph.Rank() == me, "a graph");
    check(Arrays.equals(graph.Neighbours(0), new int[] {1, 3}), "neighbours of 0");
    check(Arrays.equals(graph.Neighbours(3), new int[] {0, 2}), "neighbours of 3");
    check(graph.Get().index.length == 4 && graph.Get().edges.length == 6, "nodes and edges");
    check(MPI.COMM_WORLD.Topo_test() == MPI.UNDEFINED, "no topology");
    MPI.COMM_WORLD.Barrier();
    if (me == 0) {
      System.out.println("Topologies: ok");
    }
    MPI.Finalize();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
