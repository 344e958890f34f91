package mpi;

import java.nio.Buffer;
import org.reprise.ranks.fabric.CollectiveCall.Kind;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.MpiCall;

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
  public Intracomm clone() throws MPIException {
    return new Intracomm(duplicate("clone"));
  }

  @Override
  public Intracomm dup() throws MPIException {
    return clone();
  }

  /** Ranks outside of the group get one that they are not in. */
  public Intracomm Create(Group group) throws MPIException {
    RankState state = RankState.active("Create");
    Communicator comm = handle("Create", state);
    int[] ranks = groupOf(comm).placesOf("Create", group);
    return new Intracomm(
        telling("Create", () -> state.fabric.create(comm, ranks, MpiCall.COMM_CREATE)));
  }

  /** Null for ranks outside of the grid. */
  public Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
    Grid grid = Grid.of("Create_cart", dims, periods);
    Communicator made = topology("Create_cart", grid.size(), MpiCall.CART_CREATE);
    return made == null ? null : new Cartcomm(made, grid);
  }

  /** Null for ranks that are no node. */
  public Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) {
    GraphParms graph = Graphcomm.graph("Create_graph", index, edges);
    Communicator made = topology("Create_graph", index.length, MpiCall.GRAPH_CREATE);
    return made == null ? null : new Graphcomm(made, graph);
  }

  /**
   * The first so many ranks in their order; there is no better one to choose.
   *
   * @return null if the calling rank is none of them
   */
  private Communicator topology(String call, int nodes, MpiCall how) {
    RankState state = RankState.active(call);
    Communicator comm = handle(call, state);
    Misuse.unless(
        nodes <= comm.size(),
        call,
        "the communicator has " + comm.size() + " ranks; needed: ",
        nodes);
    int[] ranks = java.util.stream.IntStream.range(0, nodes).toArray();
    return telling(call, () -> state.fabric.create(comm, ranks, how));
  }

  public void Barrier() throws MPIException {
    Collective.of("Barrier", this, 0).barrier();
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

  // Open MPI's

  /** With colour MPI.UNDEFINED the result is one that the calling rank is not in. */
  public Intracomm split(int colour, int key) throws MPIException {
    return Split(colour, key);
  }

  /** Ranks outside of the group get one that they are not in. */
  public Intracomm create(Group group) throws MPIException {
    return Create(group);
  }

  /** Ranks outside of the grid get one that they are not in. */
  public CartComm createCart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
    Grid grid = Grid.of("createCart", dims, periods);
    return new CartComm(topology("createCart", grid.size(), MpiCall.CART_CREATE), grid);
  }

  /** Ranks that are no node get one that they are not in. */
  public GraphComm createGraph(int[] index, int[] edges, boolean reorder) throws MPIException {
    GraphParms graph = Graphcomm.graph("createGraph", index, edges);
    return new GraphComm(topology("createGraph", index.length, MpiCall.GRAPH_CREATE), graph);
  }

  public final void scan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op)
      throws MPIException {
    Collective.of("scan", this, 0).reduce(Kind.SCAN, sendbuf, recvbuf, count, type, op);
  }

  public final Request iScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
      throws MPIException {
    requireDirect("iScan", sendbuf, recvbuf);
    return Collective.starting("iScan", this, 0)
        .reduce(Kind.SCAN, sendbuf, recvbuf, count, type, op);
  }

  public final void scan(Object buf, int count, Datatype type, Op op) throws MPIException {
    Collective.of("scan", this, 0).reduce(Kind.SCAN, buf, buf, count, type, op);
  }

  public final Request iScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
    requireDirect("iScan", buf);
    return Collective.starting("iScan", this, 0).reduce(Kind.SCAN, buf, buf, count, type, op);
  }

  public final void exScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op)
      throws MPIException {
    Collective.of("exScan", this, 0).reduce(Kind.EXSCAN, sendbuf, recvbuf, count, type, op);
  }

  public final Request iExScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
      throws MPIException {
    requireDirect("iExScan", sendbuf, recvbuf);
    return Collective.starting("iExScan", this, 0)
        .reduce(Kind.EXSCAN, sendbuf, recvbuf, count, type, op);
  }

  public final void exScan(Object buf, int count, Datatype type, Op op) throws MPIException {
    Collective.of("exScan", this, 0).reduce(Kind.EXSCAN, buf, buf, count, type, op);
  }

  public final Request iExScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
    requireDirect("iExScan", buf);
    return Collective.starting("iExScan", this, 0).reduce(Kind.EXSCAN, buf, buf, count, type, op);
  }
}
