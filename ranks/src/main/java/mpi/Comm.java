package mpi;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.reprise.ranks.Communicator;
import org.reprise.ranks.Fabric;
import org.reprise.ranks.FabricError;
import org.reprise.ranks.Payload;
import org.reprise.ranks.Received;
import org.reprise.ranks.SendMode;

/** A communicator: who may talk to whom, and a space of tags of its own. */
@SuppressWarnings("MemberName")
public class Comm {
  /** Null of MPI.COMM_WORLD and COMM_SELF, which all ranks share, and of a null communicator. */
  private final Communicator own;

  private boolean freed;

  /** One that has no members for the calling rank: MPI.COMM_NULL, or what Create left them with. */
  Comm() {
    this(null);
  }

  Comm(Communicator own) {
    this.own = own;
  }

  /** The fabric's name for this, from the calling rank's view. */
  Communicator handle(String call, RankState state) {
    if (own == null) {
      throw Misuse.error(call, "the calling rank is not in this communicator", "");
    }
    if (freed) {
      throw Misuse.error(call, "the communicator was given back by Free", "");
    }
    return own;
  }

  boolean isNull() {
    return own == null;
  }

  /** Errors that the fabric finds, told as those that are found here. */
  static <T> T telling(String call, Supplier<T> work) {
    try {
      return work.get();
    } catch (FabricError e) {
      throw Misuse.error(call, e.getMessage(), "");
    }
  }

  public int Size() throws MPIException {
    return isNull() ? 0 : handle("Size", RankState.active("Size")).size();
  }

  /** The calling rank's number; MPI.UNDEFINED of a communicator that it is not in. */
  public int Rank() throws MPIException {
    RankState state = RankState.active("Rank");
    return isNull() ? MPI.UNDEFINED : handle("Rank", state).rank();
  }

  public Group Group() throws MPIException {
    return groupOf(handle("Group", RankState.active("Group")));
  }

  static Group groupOf(Communicator comm) {
    return new Group(IntStream.range(0, comm.size()).map(comm::worldRank).toArray());
  }

  /** IDENT, CONGRUENT (same members in the same order), SIMILAR (in another one) or UNEQUAL. */
  public static int Compare(Comm comm1, Comm comm2) throws MPIException {
    RankState state = RankState.active("Compare");
    if (comm1.isNull() || comm2.isNull()) {
      return comm1.isNull() && comm2.isNull() ? MPI.IDENT : MPI.UNEQUAL;
    }
    Communicator one = comm1.handle("Compare", state);
    Communicator two = comm2.handle("Compare", state);
    if (one.id() == two.id()) {
      return MPI.IDENT;
    }
    if (one.isInter() != two.isInter()) {
      return MPI.UNEQUAL;
    }
    int local = mpi.Group.Compare(comm1.Group(), comm2.Group());
    int remote =
        one.isInter()
            ? mpi.Group.Compare(
                ((Intercomm) comm1).Remote_group(), ((Intercomm) comm2).Remote_group())
            : local;
    if (local == MPI.UNEQUAL || remote == MPI.UNEQUAL) {
      return MPI.UNEQUAL;
    }
    return local == MPI.IDENT && remote == MPI.IDENT ? MPI.CONGRUENT : MPI.SIMILAR;
  }

  public void Free() throws MPIException {
    RankState state = RankState.active("Free");
    Communicator comm = handle("Free", state);
    state.fabric.free(comm);
    freed = true;
  }

  public boolean Test_inter() throws MPIException {
    return handle("Test_inter", RankState.active("Test_inter")).isInter();
  }

  /** Called on the communicator in which the two leaders reach each other. */
  public Intercomm Create_intercomm(Comm local, int localLeader, int remoteLeader, int tag)
      throws MPIException {
    RankState state = RankState.active("Create_intercomm");
    Communicator mine = local.handle("Create_intercomm", state);
    Communicator peer = isNull() ? null : handle("Create_intercomm", state);
    Peer.requireTag("Create_intercomm", tag);
    Misuse.unless(
        localLeader >= 0 && localLeader < mine.size(),
        "Create_intercomm",
        "no such leader in a communicator of " + mine.size() + ": ",
        localLeader);
    return new Intercomm(
        telling(
            "Create_intercomm",
            () -> state.fabric.createInter(mine, localLeader, peer, remoteLeader, tag)));
  }

  /** MPI.TAG_UB, HOST and IO; a program cannot set any of its own. Null if there is none. */
  public Object Attr_get(int keyval) throws MPIException {
    RankState state = RankState.active("Attr_get");
    handle("Attr_get", state);
    if (keyval == MPI.TAG_UB) {
      return Fabric.TAG_MAX;
    }
    return keyval == MPI.HOST
        ? (Object) MPI.PROC_NULL
        : keyval == MPI.IO ? state.worldRank() : null;
  }

  public void Attr_delete(int keyval) throws MPIException {
    RankState.active("Attr_delete");
    throw Misuse.error("Attr_delete", "an attribute that MPI sets cannot be deleted: ", keyval);
  }

  // Sending

  public void Send(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPIException {
    send("Send", SendMode.STANDARD, buf, offset, count, datatype, dest, tag);
  }

  public void Ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPIException {
    send("Ssend", SendMode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag);
  }

  public void Bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPIException {
    send("Bsend", SendMode.BUFFERED, buf, offset, count, datatype, dest, tag);
  }

  public void Rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPIException {
    send("Rsend", SendMode.READY, buf, offset, count, datatype, dest, tag);
  }

  public Request Isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPIException {
    return sending("Isend", SendMode.STANDARD, buf, offset, count, datatype, dest, tag).started();
  }

  public Request Ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPIException {
    return sending("Ibsend", SendMode.BUFFERED, buf, offset, count, datatype, dest, tag).started();
  }

  public Request Issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPIException {
    return sending("Issend", SendMode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag)
        .started();
  }

  public Request Irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPIException {
    return sending("Irsend", SendMode.READY, buf, offset, count, datatype, dest, tag).started();
  }

  public Prequest Send_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPIException {
    return new Prequest(
        sending("Send_init", SendMode.STANDARD, buf, offset, count, datatype, dest, tag));
  }

  public Prequest Ssend_init(
      Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
    return new Prequest(
        sending("Ssend_init", SendMode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag));
  }

  public Prequest Bsend_init(
      Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
    return new Prequest(
        sending("Bsend_init", SendMode.BUFFERED, buf, offset, count, datatype, dest, tag));
  }

  public Prequest Rsend_init(
      Object buf, int offset, int count, Datatype datatype, int dest, int tag) throws MPIException {
    return new Prequest(
        sending("Rsend_init", SendMode.READY, buf, offset, count, datatype, dest, tag));
  }

  private void send(
      String call,
      SendMode mode,
      Object buf,
      int offset,
      int count,
      Datatype datatype,
      int dest,
      int tag) {
    RankState state = RankState.active(call);
    Communicator comm = handle(call, state);
    int to = Peer.destination(call, comm, dest, tag);
    Payload payload = Area.of(call, buf, offset, count, datatype).outgoing();
    if (mode == SendMode.BUFFERED) {
      state.requireAttached(call, payload);
    }
    try {
      state.fabric.send(comm, to, tag, payload, mode);
    } catch (FabricError e) {
      throw Misuse.error(call, e.getMessage(), "");
    }
  }

  /** A send that can be started, once or again and again. */
  private Request.Plan sending(
      String call,
      SendMode mode,
      Object buf,
      int offset,
      int count,
      Datatype datatype,
      int dest,
      int tag) {
    RankState state = RankState.active(call);
    Communicator comm = handle(call, state);
    int to = Peer.destination(call, comm, dest, tag);
    Area source = Area.of(call, buf, offset, count, datatype);
    return new Request.Plan(call, state.fabric, null) {
      @Override
      Request.Started start() {
        Payload payload = source.outgoing();
        if (mode == SendMode.BUFFERED) {
          state.requireAttached(call, payload);
        }
        return new Request.Started(fabric.startSend(comm, to, tag, payload, mode), null);
      }
    };
  }

  // Receiving

  public Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
      throws MPIException {
    RankState state = RankState.active("Recv");
    Communicator comm = handle("Recv", state);
    int from = Peer.source("Recv", comm, source);
    int wanted = Peer.tag("Recv", tag);
    Area area = Area.of("Recv", buf, offset, count, datatype);
    Payload room = area.room();
    try {
      return area.accept(state.fabric.receive(comm, from, wanted, room), room);
    } catch (FabricError e) {
      throw Misuse.error("Recv", e.getMessage(), "");
    }
  }

  public Request Irecv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
      throws MPIException {
    return receiving("Irecv", buf, offset, count, datatype, source, tag).started();
  }

  public Prequest Recv_init(
      Object buf, int offset, int count, Datatype datatype, int source, int tag)
      throws MPIException {
    return new Prequest(receiving("Recv_init", buf, offset, count, datatype, source, tag));
  }

  private Request.Plan receiving(
      String call, Object buf, int offset, int count, Datatype datatype, int source, int tag) {
    RankState state = RankState.active(call);
    Communicator comm = handle(call, state);
    int from = Peer.source(call, comm, source);
    int wanted = Peer.tag(call, tag);
    return new Request.Plan(call, state.fabric, Area.of(call, buf, offset, count, datatype)) {
      @Override
      Request.Started start() {
        Payload room = arrival.room();
        return new Request.Started(fabric.startReceive(comm, from, wanted, room), room);
      }
    };
  }

  public Status Sendrecv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      int dest,
      int sendtag,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int source,
      int recvtag)
      throws MPIException {
    Area out = Area.of("Sendrecv", sendbuf, sendoffset, sendcount, sendtype);
    Area in = Area.of("Sendrecv", recvbuf, recvoffset, recvcount, recvtype);
    return exchange("Sendrecv", out.outgoing(), dest, sendtag, in, source, recvtag);
  }

  public Status Sendrecv_replace(
      Object buf,
      int offset,
      int count,
      Datatype datatype,
      int dest,
      int sendtag,
      int source,
      int recvtag)
      throws MPIException {
    Area area = Area.of("Sendrecv_replace", buf, offset, count, datatype);
    Payload leaving = area.outgoing();
    return exchange("Sendrecv_replace", leaving.copy(), dest, sendtag, area, source, recvtag);
  }

  private Status exchange(
      String call, Payload payload, int dest, int sendtag, Area in, int source, int recvtag) {
    RankState state = RankState.active(call);
    Communicator comm = handle(call, state);
    int to = Peer.destination(call, comm, dest, sendtag);
    int from = Peer.source(call, comm, source);
    int wanted = Peer.tag(call, recvtag);
    Payload room = in.room();
    Received received =
        telling(
            call, () -> state.fabric.sendReceive(comm, to, sendtag, payload, from, wanted, room));
    return in.accept(received, room);
  }

  public Status Probe(int source, int tag) throws MPIException {
    RankState state = RankState.active("Probe");
    Communicator comm = handle("Probe", state);
    int from = Peer.source("Probe", comm, source);
    int wanted = Peer.tag("Probe", tag);
    return Status.ofProbe(telling("Probe", () -> state.fabric.probe(comm, from, wanted)));
  }

  /** Null if there is no such message yet. */
  public Status Iprobe(int source, int tag) throws MPIException {
    RankState state = RankState.active("Iprobe");
    Communicator comm = handle("Iprobe", state);
    int from = Peer.source("Iprobe", comm, source);
    int wanted = Peer.tag("Iprobe", tag);
    Optional<Received> found = telling("Iprobe", () -> state.fabric.iprobe(comm, from, wanted));
    return found.map(Status::ofProbe).orElse(null);
  }

  // Packing

  /** Enough bytes for so many items; of objects nobody knows. */
  public int Pack_size(int incount, Datatype datatype) throws MPIException {
    Misuse.unless(incount >= 0, "Pack_size", "the count is negative: ", incount);
    Misuse.unless(
        datatype.basic != Basic.OBJECT,
        "Pack_size",
        "the size of objects is known only when they are packed",
        "");
    return Math.multiplyExact(incount, datatype.getByteSize());
  }

  /** Appends items at a position of the packed bytes; returns the next position. */
  public int Pack(
      Object inbuf, int offset, int incount, Datatype datatype, mpjbuf.Buffer outbuf, int position)
      throws MPIException {
    Payload payload = Area.of("Pack", inbuf, offset, incount, datatype).outgoing();
    outbuf.reserve(Math.addExact(position, Packing.bytes(payload)));
    return Packing.pack(payload, outbuf.bytes(), position);
  }

  /** The same into an array, as mpiJava has it. */
  public int Pack(
      Object inbuf, int offset, int incount, Datatype datatype, byte[] outbuf, int position)
      throws MPIException {
    return Packing.pack(
        Area.of("Pack", inbuf, offset, incount, datatype).outgoing(), outbuf, position);
  }

  /** Takes items from a position of the packed bytes; returns the next position. */
  public int Unpack(
      mpjbuf.Buffer inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
      throws MPIException {
    return Unpack(inbuf.bytes(), position, outbuf, offset, outcount, datatype);
  }

  /** The same from an array, as mpiJava has it. */
  public int Unpack(
      byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
      throws MPIException {
    return Packing.unpack(inbuf, position, Area.of("Unpack", outbuf, offset, outcount, datatype));
  }

  // The rest

  public int Topo_test() throws MPIException {
    return MPI.UNDEFINED;
  }

  /** Ends all ranks of the run. */
  public void Abort(int errorcode) throws MPIException {
    throw RankState.current("Abort").fabric.abort(errorcode);
  }

  /** Another communicator of the same ranks: MPI_Comm_dup, collective. */
  @Override
  @SuppressWarnings("MethodDoesntCallSuperMethod")
  public Object clone() throws MPIException {
    RankState state = RankState.active("clone");
    return new Comm(duplicate(state));
  }

  Communicator duplicate(RankState state) {
    Communicator comm = handle("clone", state);
    return telling("clone", () -> state.fabric.dup(comm));
  }
}
