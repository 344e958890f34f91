package mpi;

import org.reprise.ranks.CollectiveCall;
import org.reprise.ranks.CollectiveCall.Kind;
import org.reprise.ranks.Communicator;
import org.reprise.ranks.MpiCall;

/** A communicator of one group, in which everybody can take part in collective calls. */
@SuppressWarnings("MemberName")
public class Intracomm extends Comm {
  /** One that the calling rank is not in. */
  Intracomm() {}

  Intracomm(Communicator own) {
    super(own);
  }

  public static int Compare(Comm comm1, Comm comm2) throws MPIException {
    return Comm.Compare(comm1, comm2);
  }

  /** With color MPI.UNDEFINED the result is one that the calling rank is not in. */
  public Intracomm Split(int color, int key) throws MPIException {
    RankState state = RankState.active("Split");
    Communicator comm = handle("Split", state);
    Misuse.unless(
        color >= 0 || color == MPI.UNDEFINED,
        "Split",
        "a color is MPI.UNDEFINED or not negative; found: ",
        color);
    return new Intracomm(telling("Split", () -> state.fabric.split(comm, color, key)));
  }

  @Override
  public Object clone() throws MPIException {
    return new Intracomm(duplicate(RankState.active("clone")));
  }

  /** Ranks outside of the group get one that they are not in. */
  public Intracomm Create(Group group) throws MPIException {
    RankState state = RankState.active("Create");
    Communicator comm = handle("Create", state);
    int[] ranks = groupOf(comm).placesOf("Create", group);
    return new Intracomm(
        telling("Create", () -> state.fabric.create(comm, ranks, MpiCall.COMM_CREATE)));
  }

  public Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
    RankState state = RankState.active("Create_cart");
    Communicator comm = handle("Create_cart", state);
    Grid grid = Grid.of("Create_cart", dims, periods);
    return new Cartcomm(
        topology("Create_cart", state, comm, grid.size(), MpiCall.CART_CREATE), grid);
  }

  public Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) {
    RankState state = RankState.active("Create_graph");
    Communicator comm = handle("Create_graph", state);
    GraphParms graph = Graphcomm.graph("Create_graph", index, edges);
    return new Graphcomm(
        topology("Create_graph", state, comm, index.length, MpiCall.GRAPH_CREATE), graph);
  }

  /** The first so many ranks in their order; there is no better one to choose. */
  private static Communicator topology(
      String call, RankState state, Communicator comm, int nodes, MpiCall how) {
    Misuse.unless(
        nodes <= comm.size(),
        call,
        "the communicator has " + comm.size() + " ranks; needed: ",
        nodes);
    int[] ranks = java.util.stream.IntStream.range(0, nodes).toArray();
    return telling(call, () -> state.fabric.create(comm, ranks, how));
  }

  public void Barrier() throws MPIException {
    Collective.of("Barrier", this, 0).call(CollectiveCall.barrier());
  }

  public void Bcast(Object buf, int offset, int count, Datatype type, int root)
      throws MPIException {
    Collective.of("Bcast", this, root).bcast(Area.of("Bcast", buf, offset, count, type));
  }

  public void Gather(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    Collective all = Collective.of("Gather", this, root);
    all.gather(
        Area.of("Gather", sendbuf, sendoffset, sendcount, sendtype),
        all.isRoot() ? all.equal(recvbuf, recvoffset, recvcount, recvtype) : null);
  }

  public void Gatherv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcounts,
      int[] displs,
      Datatype recvtype,
      int root)
      throws MPIException {
    Collective all = Collective.of("Gatherv", this, root);
    all.gather(
        Area.of("Gatherv", sendbuf, sendoffset, sendcount, sendtype),
        all.isRoot() ? all.shares(recvbuf, recvoffset, recvcounts, displs, recvtype) : null);
  }

  public void Scatter(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    Collective all = Collective.of("Scatter", this, root);
    all.scatter(
        all.isRoot() ? all.equal(sendbuf, sendoffset, sendcount, sendtype) : null,
        Area.of("Scatter", recvbuf, recvoffset, recvcount, recvtype));
  }

  public void Scatterv(
      Object sendbuf,
      int sendoffset,
      int[] sendcounts,
      int[] displs,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    Collective all = Collective.of("Scatterv", this, root);
    all.scatter(
        all.isRoot() ? all.shares(sendbuf, sendoffset, sendcounts, displs, sendtype) : null,
        Area.of("Scatterv", recvbuf, recvoffset, recvcount, recvtype));
  }

  public void Allgather(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    Collective all = Collective.of("Allgather", this, 0);
    all.allgather(
        Area.of("Allgather", sendbuf, sendoffset, sendcount, sendtype),
        all.equal(recvbuf, recvoffset, recvcount, recvtype));
  }

  public void Allgatherv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcounts,
      int[] displs,
      Datatype recvtype)
      throws MPIException {
    Collective all = Collective.of("Allgatherv", this, 0);
    all.allgather(
        Area.of("Allgatherv", sendbuf, sendoffset, sendcount, sendtype),
        all.shares(recvbuf, recvoffset, recvcounts, displs, recvtype));
  }

  public void Alltoall(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    Collective all = Collective.of("Alltoall", this, 0);
    all.alltoall(
        all.equal(sendbuf, sendoffset, sendcount, sendtype),
        all.equal(recvbuf, recvoffset, recvcount, recvtype));
  }

  public void Alltoallv(
      Object sendbuf,
      int sendoffset,
      int[] sendcounts,
      int[] sdispls,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcounts,
      int[] rdispls,
      Datatype recvtype)
      throws MPIException {
    Collective all = Collective.of("Alltoallv", this, 0);
    all.alltoall(
        all.shares(sendbuf, sendoffset, sendcounts, sdispls, sendtype),
        all.shares(recvbuf, recvoffset, recvcounts, rdispls, recvtype));
  }

  public void Reduce(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype datatype,
      Op op,
      int root)
      throws MPIException {
    Collective all = Collective.of("Reduce", this, root);
    all.reduce(
        Kind.REDUCE,
        Area.of("Reduce", sendbuf, sendoffset, count, datatype),
        all.isRoot() ? Area.of("Reduce", recvbuf, recvoffset, count, datatype) : null,
        op);
  }

  public void Allreduce(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype datatype,
      Op op)
      throws MPIException {
    Collective.of("Allreduce", this, 0)
        .reduce(
            Kind.ALLREDUCE,
            Area.of("Allreduce", sendbuf, sendoffset, count, datatype),
            Area.of("Allreduce", recvbuf, recvoffset, count, datatype),
            op);
  }

  public void Scan(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype datatype,
      Op op)
      throws MPIException {
    Collective.of("Scan", this, 0)
        .reduce(
            Kind.SCAN,
            Area.of("Scan", sendbuf, sendoffset, count, datatype),
            Area.of("Scan", recvbuf, recvoffset, count, datatype),
            op);
  }

  public void Reduce_scatter(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int[] recvcounts,
      Datatype datatype,
      Op op)
      throws MPIException {
    Collective all = Collective.of("Reduce_scatter", this, 0);
    int[] starts = all.starts(recvcounts);
    all.reduceScatter(
        all.shares(sendbuf, sendoffset, recvcounts, starts, datatype),
        Area.of("Reduce_scatter", recvbuf, recvoffset, recvcounts[all.rank()], datatype),
        op);
  }
}
