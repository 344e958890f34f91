import java.util.Arrays;
import mpi.*;

/** Ranks are nodes of a ring with a hub; everybody sends to its neighbours. */
public class GraphRing {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int size = MPI.COMM_WORLD.getSize();
    int[] index = new int[size];
    int[] edges = new int[3 * size];
    int next = 0;
    for (int node = 0; node < size; node++) {
      int[] neighbours = {(node + 1) % size, (node + size - 1) % size};
      for (int neighbour : Arrays.stream(neighbours).distinct().toArray()) {
        edges[next++] = neighbour;
      }
      index[node] = next;
    }
    GraphComm graph =
        MPI.COMM_WORLD.createGraph(index, Arrays.copyOf(edges, next), false);
    int rank = graph.getRank();
    int[] neighbours = graph.getNeighbors(rank);
    Request[] requests = new Request[2 * neighbours.length];
    java.nio.IntBuffer in = MPI.newIntBuffer(neighbours.length);
    java.nio.IntBuffer out = MPI.newIntBuffer(1).put(0, rank * rank);
    for (int i = 0; i < neighbours.length; i++) {
      requests[2 * i] = graph.iRecv(MPI.slice(in, i), 1, MPI.INT, neighbours[i], 0);
      requests[2 * i + 1] = graph.iSend(out, 1, MPI.INT, neighbours[i], 0);
    }
    Request.waitAll(requests);
    int[] sum = new int[1];
    for (int i = 0; i < neighbours.length; i++) {
      sum[0] += in.get(i);
    }
    graph.reduce(sum, 1, MPI.INT, MPI.SUM, 0);
    if (rank == 0) {
      System.out.println(graph.getDims().getEdgeCount() + " edges carried " + sum[0]);
    }
    MPI.Finalize();
  }
}
