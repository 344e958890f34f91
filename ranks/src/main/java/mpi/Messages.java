package mpi;

import java.nio.Buffer;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.fabric.SendMode;

/**
 * Messages in the dialect of Open MPI's Java bindings: buffers without an offset, arrays or NIO
 * buffers where the call waits, direct buffers where it does not.
 */
abstract class Messages extends Channel {
  Messages(Communicator own) {
    super(own);
  }

  public final void send(Object buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    send("send", SendMode.STANDARD, buf, 0, count, type, dest, tag);
  }

  public final void bSend(Object buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    send("bSend", SendMode.BUFFERED, buf, 0, count, type, dest, tag);
  }

  public final void sSend(Object buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    send("sSend", SendMode.SYNCHRONOUS, buf, 0, count, type, dest, tag);
  }

  public final void rSend(Object buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    send("rSend", SendMode.READY, buf, 0, count, type, dest, tag);
  }

  public final Request iSend(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    requireDirect("iSend", buf);
    return sending("iSend", SendMode.STANDARD, buf, 0, count, type, dest, tag).started();
  }

  public final Request ibSend(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    requireDirect("ibSend", buf);
    return sending("ibSend", SendMode.BUFFERED, buf, 0, count, type, dest, tag).started();
  }

  public final Request isSend(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    requireDirect("isSend", buf);
    return sending("isSend", SendMode.SYNCHRONOUS, buf, 0, count, type, dest, tag).started();
  }

  public final Request irSend(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    requireDirect("irSend", buf);
    return sending("irSend", SendMode.READY, buf, 0, count, type, dest, tag).started();
  }

  public final Prequest sendInit(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    requireDirect("sendInit", buf);
    return new Prequest(sending("sendInit", SendMode.STANDARD, buf, 0, count, type, dest, tag));
  }

  public final Prequest bSendInit(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    requireDirect("bSendInit", buf);
    return new Prequest(sending("bSendInit", SendMode.BUFFERED, buf, 0, count, type, dest, tag));
  }

  public final Prequest sSendInit(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    requireDirect("sSendInit", buf);
    return new Prequest(sending("sSendInit", SendMode.SYNCHRONOUS, buf, 0, count, type, dest, tag));
  }

  public final Prequest rSendInit(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    requireDirect("rSendInit", buf);
    return new Prequest(sending("rSendInit", SendMode.READY, buf, 0, count, type, dest, tag));
  }

  public final Status recv(Object buf, int count, Datatype type, int source, int tag)
      throws MPIException {
    return receive("recv", buf, 0, count, type, source, tag);
  }

  public final Request iRecv(Buffer buf, int count, Datatype type, int source, int tag)
      throws MPIException {
    requireDirect("iRecv", buf);
    return receiving("iRecv", buf, 0, count, type, source, tag).started();
  }

  public final Prequest recvInit(Buffer buf, int count, Datatype type, int source, int tag)
      throws MPIException {
    requireDirect("recvInit", buf);
    return new Prequest(receiving("recvInit", buf, 0, count, type, source, tag));
  }

  public final Status sendRecv(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      int dest,
      int sendtag,
      Object recvbuf,
      int recvcount,
      Datatype recvtype,
      int source,
      int recvtag)
      throws MPIException {
    Area out = Area.of("sendRecv", sendbuf, 0, sendcount, sendtype);
    Area in = Area.of("sendRecv", recvbuf, 0, recvcount, recvtype);
    return exchange("sendRecv", out.outgoing(), dest, sendtag, in, source, recvtag);
  }

  public final Status sendRecvReplace(
      Object buf, int count, Datatype type, int dest, int sendtag, int source, int recvtag)
      throws MPIException {
    Area area = Area.of("sendRecvReplace", buf, 0, count, type);
    Payload leaving = area.outgoing().copy();
    return exchange("sendRecvReplace", leaving, dest, sendtag, area, source, recvtag);
  }

  public final Status probe(int source, int tag) throws MPIException {
    return Status.ofProbe(probe("probe", source, tag));
  }

  /** Null if there is no such message yet. */
  public final Status iProbe(int source, int tag) throws MPIException {
    Received found = iprobe("iProbe", source, tag);
    return found == null ? null : Status.ofProbe(found);
  }

  /** Packs items into an array at a position; returns the next position. */
  public final int pack(Object inbuf, int incount, Datatype type, byte[] outbuf, int position)
      throws MPIException {
    return Packing.pack(Area.of("pack", inbuf, 0, incount, type).outgoing(), outbuf, position);
  }

  /** Takes items from a position of packed bytes; returns the next position. */
  public final int unpack(byte[] inbuf, int position, Object outbuf, int outcount, Datatype type)
      throws MPIException {
    return Packing.unpack(inbuf, position, Area.of("unpack", outbuf, 0, outcount, type));
  }

  /** Enough bytes for so many items. */
  public final int packSize(int incount, Datatype type) throws MPIException {
    return Packing.size("packSize", incount, type);
  }

  /** libmpi works on the memory while the call has returned, so the collector must not move it. */
  static void requireDirect(String call, Buffer... buffers) {
    for (Buffer buffer : buffers) {
      Misuse.unless(
          buffer == null || buffer.isDirect(),
          call,
          "the buffer must be direct, as of MPI.newIntBuffer; found: ",
          buffer == null ? "" : buffer.getClass().getSimpleName());
    }
  }
}
