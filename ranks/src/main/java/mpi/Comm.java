package mpi;

import java.util.Map;
import java.util.stream.IntStream;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.fabric.SendMode;

/** A communicator: who may talk to whom, and a space of tags of its own. */
@SuppressWarnings("MemberName")
public class Comm extends Collectives {
  /** One that has no members for the calling rank: MPI.COMM_NULL, or what Create left them with. */
  Comm() {
    super(null);
  }

  Comm(Communicator own) {
    super(own);
  }

  public int Size() throws MPIException {
    return isOutside() ? 0 : handle("Size", RankState.active("Size")).size();
  }

  /** The calling rank's number; MPI.UNDEFINED of a communicator that it is not in. */
  public int Rank() throws MPIException {
    RankState state = RankState.active("Rank");
    return isOutside() ? MPI.UNDEFINED : handle("Rank", state).rank();
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
    if (comm1.isOutside() || comm2.isOutside()) {
      return comm1.isOutside() && comm2.isOutside() ? MPI.IDENT : MPI.UNEQUAL;
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
    setFreed();
  }

  public boolean Test_inter() throws MPIException {
    return handle("Test_inter", RankState.active("Test_inter")).isInter();
  }

  /** Called on the communicator in which the two leaders reach each other. */
  public Intercomm Create_intercomm(Comm local, int localLeader, int remoteLeader, int tag)
      throws MPIException {
    RankState state = RankState.active("Create_intercomm");
    Communicator mine = local.handle("Create_intercomm", state);
    Communicator peer = isOutside() ? null : handle("Create_intercomm", state);
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
    if (keyval == MPI.UNIVERSE_SIZE) {
      return state.fabric.world().size();
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

  // Receiving

  public Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
      throws MPIException {
    return receive("Recv", buf, offset, count, datatype, source, tag);
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

  public Status Probe(int source, int tag) throws MPIException {
    return Status.ofProbe(probe("Probe", source, tag));
  }

  /** Null if there is no such message yet. */
  public Status Iprobe(int source, int tag) throws MPIException {
    Received found = iprobe("Iprobe", source, tag);
    return found == null ? null : Status.ofProbe(found);
  }

  // Packing

  /** Enough bytes for so many items; of objects nobody knows. */
  public int Pack_size(int incount, Datatype datatype) throws MPIException {
    return Packing.size("Pack_size", incount, datatype);
  }

  /** Appends items at a position of the packed bytes; returns the next position. */
  public int Pack(
      Object inbuf, int offset, int incount, Datatype datatype, mpjbuf.Buffer outbuf, int position)
      throws MPIException {
    Payload payload = Area.of("Pack", inbuf, offset, incount, datatype).outgoing();
    outbuf.setSize(Math.addExact(position, Packing.bytes(payload)));
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
  public Comm clone() throws MPIException {
    return new Comm(duplicate("clone"));
  }

  final Communicator duplicate(String call) {
    RankState state = RankState.active(call);
    Communicator comm = handle(call, state);
    Communicator copy = telling(call, () -> state.fabric.dup(comm));
    state.attributes.copy(comm, copy);
    return copy;
  }

  // The same in Open MPI's dialect, and what only that has

  public int getSize() throws MPIException {
    return Size();
  }

  public int getRank() throws MPIException {
    return Rank();
  }

  public Group getGroup() throws MPIException {
    return Group();
  }

  public static int compare(Comm comm1, Comm comm2) throws MPIException {
    return Compare(comm1, comm2);
  }

  public void free() throws MPIException {
    Free();
  }

  /** As {@link #free}: there is nobody to wait for. */
  public void disconnect() throws MPIException {
    Free();
  }

  /** Whether the calling rank is not in it, or gave it back. */
  public boolean isNull() {
    return isOutside() || isFreed();
  }

  public boolean isInter() throws MPIException {
    return Test_inter();
  }

  public Comm dup() throws MPIException {
    return clone();
  }

  public Intercomm createIntercomm(Comm localComm, int localLeader, int remoteLeader, int tag)
      throws MPIException {
    return Create_intercomm(localComm, localLeader, remoteLeader, tag);
  }

  public int getTopology() throws MPIException {
    return Topo_test();
  }

  public void abort(int errorcode) throws MPIException {
    Abort(errorcode);
  }

  public static int createKeyval() throws MPIException {
    return RankState.active("createKeyval").attributes.newKey();
  }

  public static void freeKeyval(int keyval) throws MPIException {
    RankState.active("freeKeyval");
  }

  public void setAttr(int keyval, Object value) throws MPIException {
    RankState state = RankState.active("setAttr");
    Map<Integer, Object> attributes = state.attributes.of("setAttr", handle("setAttr", state));
    if (value == null) {
      attributes.remove(keyval);
    } else {
      attributes.put(keyval, value);
    }
  }

  /** Null if there is none. */
  public Object getAttr(int keyval) throws MPIException {
    RankState state = RankState.active("getAttr");
    Object predefined = Attr_get(keyval);
    return predefined != null
        ? predefined
        : state.attributes.of("getAttr", handle("getAttr", state)).get(keyval);
  }

  public void deleteAttr(int keyval) throws MPIException {
    RankState state = RankState.active("deleteAttr");
    state.attributes.of("deleteAttr", handle("deleteAttr", state)).remove(keyval);
  }

  public void setName(String name) throws MPIException {
    setAttr(Attributes.NAME, name);
  }

  /** Empty if it was given none. */
  public String getName() throws MPIException {
    Object name = getAttr(Attributes.NAME);
    return name == null ? defaultName() : (String) name;
  }

  String defaultName() {
    return "";
  }

  public void setErrhandler(Errhandler errhandler) throws MPIException {
    setAttr(Attributes.ERRHANDLER, errhandler);
  }

  public Errhandler getErrhandler() throws MPIException {
    Object errhandler = getAttr(Attributes.ERRHANDLER);
    return errhandler == null ? MPI.ERRORS_ARE_FATAL : (Errhandler) errhandler;
  }

  /** Throws: that is what both kinds of error handlers do here. */
  public void callErrhandler(int errorCode) throws MPIException {
    throw new MPIException(errorCode, errorCode, "callErrhandler: error " + errorCode);
  }

  public void setInfo(Info info) throws MPIException {
    setAttr(Attributes.INFO, info.dup());
  }

  public Info getInfo() throws MPIException {
    Object info = getAttr(Attributes.INFO);
    return info == null ? new Info() : ((Info) info).dup();
  }
}
