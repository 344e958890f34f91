package mpi;

import java.util.Arrays;
import org.reprise.ranks.fabric.Communicator;

/** A communicator whose ranks are the nodes of a graph. */
@SuppressWarnings("MemberName")
public class Graphcomm extends Intracomm {
  final GraphParms graph;

  Graphcomm(Communicator own, GraphParms graph) {
    super(own);
    this.graph = graph;
  }

  /** Checks that the edges of each node end where those of the next begin, and at nodes. */
  static GraphParms graph(String call, int[] index, int[] edges) {
    int before = 0;
    for (int end : index) {
      Misuse.unless(
          end >= before && end <= edges.length,
          call,
          "index does not grow from 0 to the " + edges.length + " edges; found: ",
          end);
      before = end;
    }
    for (int edge : edges) {
      Misuse.unless(
          edge >= 0 && edge < index.length,
          call,
          "no such node in a graph of " + index.length + ": ",
          edge);
    }
    return new GraphParms(index.clone(), edges.clone());
  }

  @Override
  public Graphcomm clone() throws MPIException {
    return new Graphcomm(duplicate("clone"), graph);
  }

  public GraphParms Get() throws MPIException {
    return new GraphParms(graph.index.clone(), graph.edges.clone());
  }

  public int[] Neighbours(int rank) throws MPIException {
    Misuse.unless(
        rank >= 0 && rank < graph.index.length,
        "Neighbours",
        "no such node in a graph of " + graph.index.length + ": ",
        rank);
    return Arrays.copyOfRange(
        graph.edges, rank == 0 ? 0 : graph.index[rank - 1], graph.index[rank]);
  }

  /** Where the calling rank would be in such a graph. */
  public int Map(int[] index, int[] edges) throws MPIException {
    graph("Map", index, edges);
    int rank = Rank();
    return rank < index.length ? rank : MPI.UNDEFINED;
  }

  @Override
  public int Topo_test() throws MPIException {
    return MPI.GRAPH;
  }
}
