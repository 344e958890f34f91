package mpi;

import java.nio.Buffer;
import org.reprise.ranks.fabric.CollectiveCall.Kind;
import org.reprise.ranks.fabric.Communicator;

/**
 * Collective calls in the dialect of Open MPI's Java bindings. Each has a form that waits and one
 * that does not, and most a form in place: the rank's own part is where the result goes.
 */
abstract class Collectives extends Messages {
  Collectives(Communicator own) {
    super(own);
  }

  public final void barrier() throws MPIException {
    Collective.of("barrier", this, 0).barrier();
  }

  public final Request iBarrier() throws MPIException {
    return Collective.starting("iBarrier", this, 0).barrier();
  }

  public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
    Collective.of("bcast", this, root).bcast(Area.of("bcast", buf, 0, count, type));
  }

  public final Request iBcast(Buffer buf, int count, Datatype type, int root) throws MPIException {
    requireDirect("iBcast", buf);
    return Collective.starting("iBcast", this, root).bcast(Area.of("iBcast", buf, 0, count, type));
  }

  public final void gather(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    Collective all = Collective.of("gather", this, root);
    all.gather(
        Area.of("gather", sendbuf, 0, sendcount, sendtype),
        all.isRoot() ? all.equal(recvbuf, 0, recvcount, recvtype) : null);
  }

  public final Request iGather(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    requireDirect("iGather", sendbuf, recvbuf);
    Collective all = Collective.starting("iGather", this, root);
    return all.gather(
        Area.of("iGather", sendbuf, 0, sendcount, sendtype),
        all.isRoot() ? all.equal(recvbuf, 0, recvcount, recvtype) : null);
  }

  public final void gather(Object buf, int count, Datatype type, int root) throws MPIException {
    Collective all = Collective.of("gather", this, root);
    Shares shares = all.isRoot() ? all.equal(buf, 0, count, type) : null;
    all.gather(
        shares == null ? Area.of("gather", buf, 0, count, type) : shares.area(all.rank()), shares);
  }

  public final Request iGather(Buffer buf, int count, Datatype type, int root) throws MPIException {
    requireDirect("iGather", buf);
    Collective all = Collective.starting("iGather", this, root);
    Shares shares = all.isRoot() ? all.equal(buf, 0, count, type) : null;
    return all.gather(
        shares == null ? Area.of("iGather", buf, 0, count, type) : shares.area(all.rank()), shares);
  }

  public final void gatherv(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int[] recvcount,
      int[] displs,
      Datatype recvtype,
      int root)
      throws MPIException {
    Collective all = Collective.of("gatherv", this, root);
    all.gather(
        Area.of("gatherv", sendbuf, 0, sendcount, sendtype),
        all.isRoot() ? all.shares(recvbuf, 0, recvcount, displs, recvtype) : null);
  }

  public final Request iGatherv(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int[] recvcount,
      int[] displs,
      Datatype recvtype,
      int root)
      throws MPIException {
    requireDirect("iGatherv", sendbuf, recvbuf);
    Collective all = Collective.starting("iGatherv", this, root);
    return all.gather(
        Area.of("iGatherv", sendbuf, 0, sendcount, sendtype),
        all.isRoot() ? all.shares(recvbuf, 0, recvcount, displs, recvtype) : null);
  }

  public final void gatherv(
      Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
      throws MPIException {
    Collective all = Collective.of("gatherv", this, root);
    Shares shares = all.requireRoot(true).shares(recvbuf, 0, recvcount, displs, recvtype);
    all.gather(shares.area(all.rank()), shares);
  }

  public final Request iGatherv(
      Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
      throws MPIException {
    requireDirect("iGatherv", recvbuf);
    Collective all = Collective.starting("iGatherv", this, root);
    Shares shares = all.requireRoot(true).shares(recvbuf, 0, recvcount, displs, recvtype);
    return all.gather(shares.area(all.rank()), shares);
  }

  public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype, int root)
      throws MPIException {
    Collective all = Collective.of("gatherv", this, root);
    all.requireRoot(false).gather(Area.of("gatherv", sendbuf, 0, sendcount, sendtype), null);
  }

  public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, int root)
      throws MPIException {
    requireDirect("iGatherv", sendbuf);
    Collective all = Collective.starting("iGatherv", this, root);
    return all.requireRoot(false)
        .gather(Area.of("iGatherv", sendbuf, 0, sendcount, sendtype), null);
  }

  public final void scatter(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    Collective all = Collective.of("scatter", this, root);
    all.scatter(
        all.isRoot() ? all.equal(sendbuf, 0, sendcount, sendtype) : null,
        Area.of("scatter", recvbuf, 0, recvcount, recvtype));
  }

  public final Request iScatter(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    requireDirect("iScatter", sendbuf, recvbuf);
    Collective all = Collective.starting("iScatter", this, root);
    return all.scatter(
        all.isRoot() ? all.equal(sendbuf, 0, sendcount, sendtype) : null,
        Area.of("iScatter", recvbuf, 0, recvcount, recvtype));
  }

  public final void scatter(Object buf, int count, Datatype type, int root) throws MPIException {
    Collective all = Collective.of("scatter", this, root);
    Shares shares = all.isRoot() ? all.equal(buf, 0, count, type) : null;
    all.scatter(
        shares, shares == null ? Area.of("scatter", buf, 0, count, type) : shares.area(all.rank()));
  }

  public final Request iScatter(Buffer buf, int count, Datatype type, int root)
      throws MPIException {
    requireDirect("iScatter", buf);
    Collective all = Collective.starting("iScatter", this, root);
    Shares shares = all.isRoot() ? all.equal(buf, 0, count, type) : null;
    return all.scatter(
        shares,
        shares == null ? Area.of("iScatter", buf, 0, count, type) : shares.area(all.rank()));
  }

  public final void scatterv(
      Object sendbuf,
      int[] sendcount,
      int[] displs,
      Datatype sendtype,
      Object recvbuf,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    Collective all = Collective.of("scatterv", this, root);
    all.scatter(
        all.isRoot() ? all.shares(sendbuf, 0, sendcount, displs, sendtype) : null,
        Area.of("scatterv", recvbuf, 0, recvcount, recvtype));
  }

  public final Request iScatterv(
      Buffer sendbuf,
      int[] sendcount,
      int[] displs,
      Datatype sendtype,
      Buffer recvbuf,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    requireDirect("iScatterv", sendbuf, recvbuf);
    Collective all = Collective.starting("iScatterv", this, root);
    return all.scatter(
        all.isRoot() ? all.shares(sendbuf, 0, sendcount, displs, sendtype) : null,
        Area.of("iScatterv", recvbuf, 0, recvcount, recvtype));
  }

  public final void scatterv(
      Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
      throws MPIException {
    Collective all = Collective.of("scatterv", this, root);
    Shares shares = all.requireRoot(true).shares(sendbuf, 0, sendcount, displs, sendtype);
    all.scatter(shares, shares.area(all.rank()));
  }

  public final Request iScatterv(
      Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
      throws MPIException {
    requireDirect("iScatterv", sendbuf);
    Collective all = Collective.starting("iScatterv", this, root);
    Shares shares = all.requireRoot(true).shares(sendbuf, 0, sendcount, displs, sendtype);
    return all.scatter(shares, shares.area(all.rank()));
  }

  public final void scatterv(Object recvbuf, int recvcount, Datatype recvtype, int root)
      throws MPIException {
    Collective all = Collective.of("scatterv", this, root);
    all.requireRoot(false).scatter(null, Area.of("scatterv", recvbuf, 0, recvcount, recvtype));
  }

  public final Request iScatterv(Buffer recvbuf, int recvcount, Datatype recvtype, int root)
      throws MPIException {
    requireDirect("iScatterv", recvbuf);
    Collective all = Collective.starting("iScatterv", this, root);
    return all.requireRoot(false)
        .scatter(null, Area.of("iScatterv", recvbuf, 0, recvcount, recvtype));
  }

  public final void allGather(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    Collective all = Collective.of("allGather", this, 0);
    all.allgather(
        Area.of("allGather", sendbuf, 0, sendcount, sendtype),
        all.equal(recvbuf, 0, recvcount, recvtype));
  }

  public final Request iAllGather(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    requireDirect("iAllGather", sendbuf, recvbuf);
    Collective all = Collective.starting("iAllGather", this, 0);
    return all.allgather(
        Area.of("iAllGather", sendbuf, 0, sendcount, sendtype),
        all.equal(recvbuf, 0, recvcount, recvtype));
  }

  public final void allGather(Object buf, int count, Datatype type) throws MPIException {
    Collective all = Collective.of("allGather", this, 0);
    Shares shares = all.equal(buf, 0, count, type);
    all.allgather(shares.area(all.rank()), shares);
  }

  public final Request iAllGather(Buffer buf, int count, Datatype type) throws MPIException {
    requireDirect("iAllGather", buf);
    Collective all = Collective.starting("iAllGather", this, 0);
    Shares shares = all.equal(buf, 0, count, type);
    return all.allgather(shares.area(all.rank()), shares);
  }

  public final void allGatherv(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int[] recvcount,
      int[] displs,
      Datatype recvtype)
      throws MPIException {
    Collective all = Collective.of("allGatherv", this, 0);
    all.allgather(
        Area.of("allGatherv", sendbuf, 0, sendcount, sendtype),
        all.shares(recvbuf, 0, recvcount, displs, recvtype));
  }

  public final Request iAllGatherv(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int[] recvcount,
      int[] displs,
      Datatype recvtype)
      throws MPIException {
    requireDirect("iAllGatherv", sendbuf, recvbuf);
    Collective all = Collective.starting("iAllGatherv", this, 0);
    return all.allgather(
        Area.of("iAllGatherv", sendbuf, 0, sendcount, sendtype),
        all.shares(recvbuf, 0, recvcount, displs, recvtype));
  }

  public final void allGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype)
      throws MPIException {
    Collective all = Collective.of("allGatherv", this, 0);
    Shares shares = all.shares(recvbuf, 0, recvcount, displs, recvtype);
    all.allgather(shares.area(all.rank()), shares);
  }

  public final Request iAllGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype)
      throws MPIException {
    requireDirect("iAllGatherv", recvbuf);
    Collective all = Collective.starting("iAllGatherv", this, 0);
    Shares shares = all.shares(recvbuf, 0, recvcount, displs, recvtype);
    return all.allgather(shares.area(all.rank()), shares);
  }

  public final void allToAll(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    Collective all = Collective.of("allToAll", this, 0);
    all.alltoall(
        all.equal(sendbuf, 0, sendcount, sendtype), all.equal(recvbuf, 0, recvcount, recvtype));
  }

  public final Request iAllToAll(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    requireDirect("iAllToAll", sendbuf, recvbuf);
    Collective all = Collective.starting("iAllToAll", this, 0);
    return all.alltoall(
        all.equal(sendbuf, 0, sendcount, sendtype), all.equal(recvbuf, 0, recvcount, recvtype));
  }

  public final void allToAllv(
      Object sendbuf,
      int[] sendcount,
      int[] sdispls,
      Datatype sendtype,
      Object recvbuf,
      int[] recvcount,
      int[] rdispls,
      Datatype recvtype)
      throws MPIException {
    Collective all = Collective.of("allToAllv", this, 0);
    all.alltoall(
        all.shares(sendbuf, 0, sendcount, sdispls, sendtype),
        all.shares(recvbuf, 0, recvcount, rdispls, recvtype));
  }

  public final Request iAllToAllv(
      Buffer sendbuf,
      int[] sendcount,
      int[] sdispls,
      Datatype sendtype,
      Buffer recvbuf,
      int[] recvcount,
      int[] rdispls,
      Datatype recvtype)
      throws MPIException {
    requireDirect("iAllToAllv", sendbuf, recvbuf);
    Collective all = Collective.starting("iAllToAllv", this, 0);
    return all.alltoall(
        all.shares(sendbuf, 0, sendcount, sdispls, sendtype),
        all.shares(recvbuf, 0, recvcount, rdispls, recvtype));
  }

  public final void reduce(
      Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root)
      throws MPIException {
    Collective all = Collective.of("reduce", this, root);
    all.reduce(
        Kind.REDUCE,
        Area.of("reduce", sendbuf, 0, count, type),
        all.isRoot() ? Area.of("reduce", recvbuf, 0, count, type) : null,
        op);
  }

  public final Request iReduce(
      Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op, int root)
      throws MPIException {
    requireDirect("iReduce", sendbuf, recvbuf);
    Collective all = Collective.starting("iReduce", this, root);
    return all.reduce(
        Kind.REDUCE,
        Area.of("iReduce", sendbuf, 0, count, type),
        all.isRoot() ? Area.of("iReduce", recvbuf, 0, count, type) : null,
        op);
  }

  public final void reduce(Object buf, int count, Datatype type, Op op, int root)
      throws MPIException {
    Collective all = Collective.of("reduce", this, root);
    Area area = Area.of("reduce", buf, 0, count, type);
    all.reduce(Kind.REDUCE, area, all.isRoot() ? area : null, op);
  }

  public final Request iReduce(Buffer buf, int count, Datatype type, Op op, int root)
      throws MPIException {
    requireDirect("iReduce", buf);
    Collective all = Collective.starting("iReduce", this, root);
    Area area = Area.of("iReduce", buf, 0, count, type);
    return all.reduce(Kind.REDUCE, area, all.isRoot() ? area : null, op);
  }

  public final void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op)
      throws MPIException {
    Collective.of("allReduce", this, 0).reduce(Kind.ALLREDUCE, sendbuf, recvbuf, count, type, op);
  }

  public final Request iAllReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
      throws MPIException {
    requireDirect("iAllReduce", sendbuf, recvbuf);
    return Collective.starting("iAllReduce", this, 0)
        .reduce(Kind.ALLREDUCE, sendbuf, recvbuf, count, type, op);
  }

  public final void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
    Collective.of("allReduce", this, 0).reduce(Kind.ALLREDUCE, buf, buf, count, type, op);
  }

  public final Request iAllReduce(Buffer buf, int count, Datatype type, Op op) throws MPIException {
    requireDirect("iAllReduce", buf);
    return Collective.starting("iAllReduce", this, 0)
        .reduce(Kind.ALLREDUCE, buf, buf, count, type, op);
  }

  public final void reduceScatter(
      Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op) throws MPIException {
    Collective all = Collective.of("reduceScatter", this, 0);
    all.reduceScatter(
        all.consecutive(sendbuf, recvcounts, type),
        Area.of("reduceScatter", recvbuf, 0, recvcounts[all.rank()], type),
        op);
  }

  public final Request iReduceScatter(
      Buffer sendbuf, Buffer recvbuf, int[] recvcounts, Datatype type, Op op) throws MPIException {
    requireDirect("iReduceScatter", sendbuf, recvbuf);
    Collective all = Collective.starting("iReduceScatter", this, 0);
    return all.reduceScatter(
        all.consecutive(sendbuf, recvcounts, type),
        Area.of("iReduceScatter", recvbuf, 0, recvcounts[all.rank()], type),
        op);
  }

  public final void reduceScatter(Object buf, int[] counts, Datatype type, Op op)
      throws MPIException {
    Collective all = Collective.of("reduceScatter", this, 0);
    all.reduceScatter(
        all.consecutive(buf, counts, type),
        Area.of("reduceScatter", buf, 0, counts[all.rank()], type),
        op);
  }

  public final Request iReduceScatter(Buffer buf, int[] counts, Datatype type, Op op)
      throws MPIException {
    requireDirect("iReduceScatter", buf);
    Collective all = Collective.starting("iReduceScatter", this, 0);
    return all.reduceScatter(
        all.consecutive(buf, counts, type),
        Area.of("iReduceScatter", buf, 0, counts[all.rank()], type),
        op);
  }

  public final void reduceScatterBlock(
      Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op) throws MPIException {
    Collective all = Collective.of("reduceScatterBlock", this, 0);
    all.reduceScatter(
        all.consecutive(sendbuf, all.each(recvcount), type),
        Area.of("reduceScatterBlock", recvbuf, 0, recvcount, type),
        op);
  }

  public final Request iReduceScatterBlock(
      Buffer sendbuf, Buffer recvbuf, int recvcount, Datatype type, Op op) throws MPIException {
    requireDirect("iReduceScatterBlock", sendbuf, recvbuf);
    Collective all = Collective.starting("iReduceScatterBlock", this, 0);
    return all.reduceScatter(
        all.consecutive(sendbuf, all.each(recvcount), type),
        Area.of("iReduceScatterBlock", recvbuf, 0, recvcount, type),
        op);
  }

  public final void reduceScatterBlock(Object buf, int count, Datatype type, Op op)
      throws MPIException {
    Collective all = Collective.of("reduceScatterBlock", this, 0);
    all.reduceScatter(
        all.consecutive(buf, all.each(count), type),
        Area.of("reduceScatterBlock", buf, 0, count, type),
        op);
  }

  public final Request iReduceScatterBlock(Buffer buf, int count, Datatype type, Op op)
      throws MPIException {
    requireDirect("iReduceScatterBlock", buf);
    Collective all = Collective.starting("iReduceScatterBlock", this, 0);
    return all.reduceScatter(
        all.consecutive(buf, all.each(count), type),
        Area.of("iReduceScatterBlock", buf, 0, count, type),
        op);
  }

  /** Combines two buffers of the calling rank: sets those of inOutBuf to "in op inOut". */
  public static void reduceLocal(Object inBuf, Object inOutBuf, int count, Datatype type, Op op)
      throws MPIException {
    RankState.active("reduceLocal");
    Area left = Area.of("reduceLocal", inBuf, 0, count, type);
    Area right = Area.of("reduceLocal", inOutBuf, 0, count, type);
    Collective.reduceLocal(left, right, op);
  }
}
