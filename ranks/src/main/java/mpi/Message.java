package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Received;

/**
 * A message that a probe took out of the reach of other receives, for mRecv. It is received when
 * the probe finds it and handed over by mRecv, so a trace shows a probe and a receive.
 */
public final class Message {
  private Received found;
  private Payload payload;

  public Message() {}

  /** Waits for a message and takes it. */
  public Status mProbe(int source, int tag, Comm comm) throws MPIException {
    return taken("mProbe", comm, comm.probe("mProbe", source, tag));
  }

  /** Null if there is no such message yet. */
  public Status imProbe(int source, int tag, Comm comm) throws MPIException {
    Received seen = comm.iprobe("imProbe", source, tag);
    return seen == null ? null : taken("imProbe", comm, seen);
  }

  private Status taken(String call, Comm comm, Received seen) {
    RankState state = RankState.active(call);
    Communicator where = comm.handle(call, state);
    if (seen.source() == Fabric.PROC_NULL) {
      found = seen;
      payload = Payload.EMPTY;
    } else {
      boolean objects = seen.type() == BasicType.OBJECT;
      Payload room =
          objects
              ? null
              : new Payload(seen.type(), seen.type().newArray(seen.count()), 0, seen.count());
      found =
          Channel.telling(call, () -> state.fabric.receive(where, seen.source(), seen.tag(), room));
      payload = objects ? found.payload() : room;
    }
    return Status.ofProbe(found);
  }

  /** Hands the message over. */
  public Status mRecv(Object buf, int count, Datatype type) throws MPIException {
    return handedOver("mRecv", Area.of("mRecv", buf, 0, count, type));
  }

  /** The same as a request, which is complete at once. */
  public Request imRecv(Buffer buf, int count, Datatype type) throws MPIException {
    Messages.requireDirect("imRecv", buf);
    Area area = Area.of("imRecv", buf, 0, count, type);
    RankState state = RankState.active("imRecv");
    Status status = handedOver("imRecv", area);
    return new Request.Plan("imRecv", state.fabric) {
      @Override
      Request.Started start() {
        return new Request.Started(
            fabric.startReceive(fabric.self(), Fabric.PROC_NULL, 0, Payload.EMPTY), null);
      }

      @Override
      Status finish(Request.Started done) {
        return status;
      }
    }.started();
  }

  /** Whether there is no message to receive. */
  public boolean isNull() {
    return found == null;
  }

  /** Whether it is that of a probe for nobody. */
  public boolean isNoProc() {
    return found != null && found.source() == Fabric.PROC_NULL;
  }

  private Status handedOver(String call, Area area) {
    RankState.active(call);
    Misuse.unless(found != null, call, "there is no message: a probe must have found one", "");
    Received received = found;
    Basic basic = area.type.basic;
    Payload content = payload;
    if (basic != null && basic != Basic.OBJECT && content.type() != basic.wire) {
      content = converted(call, content, basic);
    }
    int room = basic == Basic.OBJECT ? Integer.MAX_VALUE : area.elements();
    Misuse.unless(
        content.count() <= room,
        call,
        "the message has more elements than the " + room + " that there is room for: ",
        content.count());
    found = null;
    payload = null;
    if (basic != null && basic != Basic.OBJECT) {
      area.acceptPacked(content, content.count());
      return Status.of(received, content.count());
    }
    return area.accept(received, content);
  }

  /** libmpi does not say what the bytes of a message are: the one who receives them does. */
  private static Payload converted(String call, Payload bytes, Basic basic) {
    Misuse.unless(
        bytes.array() instanceof byte[] && bytes.type() != BasicType.OBJECT,
        call,
        "a message of " + bytes.type() + " was received as ",
        basic);
    int count = (int) (bytes.bytes() / basic.bytes);
    Object array = basic.allocate(count);
    ByteBuffer from =
        ByteBuffer.wrap((byte[]) bytes.array(), bytes.offset(), bytes.count())
            .order(ByteOrder.nativeOrder());
    basic.get(from, array, 0, count);
    return new Payload(basic.wire, array, 0, count);
  }
}
