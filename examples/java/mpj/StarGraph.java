import mpi.*;

/** A star as a graph: the middle hears from all points. */
public class StarGraph {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int size = MPI.COMM_WORLD.Size();
    int[] index = new int[size];
    int[] edges = new int[2 * (size - 1)];
    for (int i = 0; i < size; i++) {
      index[i] = size - 1 + i;
      if (i > 0) {
        edges[i - 1] = i;
      }
    }
    Graphcomm star = MPI.COMM_WORLD.Create_graph(index, edges, false);
    int rank = star.Rank();
    int[] got = new int[1];
    int sum = 0;
    for (int neighbour : star.Neighbours(rank)) {
      star.Sendrecv(
          new int[] {rank * rank}, 0, 1, MPI.INT, neighbour, 0, got, 0, 1, MPI.INT, neighbour, 0);
      sum += got[0];
    }
    if (rank == 0) {
      System.out.println(star.Get().edges.length + " edges, the middle heard " + sum);
    }
    MPI.Finalize();
  }
}
