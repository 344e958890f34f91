package mpi;

import org.reprise.ranks.fabric.Communicator;

/** A {@link Graphcomm} in Open MPI's dialect. */
public final class GraphComm extends Graphcomm {
  GraphComm(Communicator own, GraphParms graph) {
    super(own, graph);
  }

  @Override
  public GraphComm clone() throws MPIException {
    return new GraphComm(duplicate("clone"), graph);
  }

  @Override
  public GraphComm dup() throws MPIException {
    return clone();
  }

  public GraphParms getDims() throws MPIException {
    return Get();
  }

  public int[] getNeighbors(int rank) throws MPIException {
    return Neighbours(rank);
  }

  public int map(int[] index, int[] edges) throws MPIException {
    return Map(index, edges);
  }
}
