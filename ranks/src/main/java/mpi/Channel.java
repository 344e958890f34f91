package mpi;

import java.util.function.Supplier;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.fabric.SendMode;

/**
 * What both dialects of a communicator do their messages with: buffers, ranks and tags as a program
 * passes them, checked and handed to the fabric of the calling rank.
 */
abstract class Channel {
  /** Null of MPI.COMM_WORLD and COMM_SELF, which all ranks share, and of a null communicator. */
  private final Communicator own;

  private boolean freed;

  /** One that has no members for the calling rank: MPI.COMM_NULL, or what Create left them with. */
  Channel() {
    this(null);
  }

  Channel(Communicator own) {
    this.own = own;
  }

  /** The fabric's name for this, from the calling rank's view. */
  Communicator handle(String call, RankState state) {
    if (own == null) {
      throw Misuse.error(MPI.ERR_COMM, call, "the calling rank is not in this communicator", "");
    }
    if (freed) {
      throw Misuse.error(MPI.ERR_COMM, call, "the communicator was given back by Free", "");
    }
    return own;
  }

  boolean isOutside() {
    return own == null;
  }

  /** Errors that the fabric finds, told as those that are found here. */
  static <T> T telling(String call, Supplier<T> work) {
    try {
      return work.get();
    } catch (FabricError e) {
      throw Misuse.error(call, e);
    }
  }

  /** Whether it was given back. */
  final boolean isFreed() {
    return freed;
  }

  final void setFreed() {
    freed = true;
  }

  final void send(
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
      throw Misuse.error(call, e);
    }
  }

  /** A send that can be started, once or again and again. */
  final Request.Plan sending(
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
    return new Request.Plan(call, state.fabric) {
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

  final Status receive(
      String call, Object buf, int offset, int count, Datatype datatype, int source, int tag) {
    RankState state = RankState.active(call);
    Communicator comm = handle(call, state);
    int from = Peer.source(call, comm, source);
    int wanted = Peer.tag(call, tag);
    Area area = Area.of(call, buf, offset, count, datatype);
    Payload room = area.room();
    try {
      return area.accept(state.fabric.receive(comm, from, wanted, room), room);
    } catch (FabricError e) {
      throw Misuse.error(call, e);
    }
  }

  final Request.Plan receiving(
      String call, Object buf, int offset, int count, Datatype datatype, int source, int tag) {
    RankState state = RankState.active(call);
    Communicator comm = handle(call, state);
    int from = Peer.source(call, comm, source);
    int wanted = Peer.tag(call, tag);
    Area arrival = Area.of(call, buf, offset, count, datatype);
    return new Request.Plan(call, state.fabric) {
      @Override
      Request.Started start() {
        Payload room = arrival.room();
        return new Request.Started(fabric.startReceive(comm, from, wanted, room), room);
      }

      @Override
      Status finish(Request.Started done) {
        return arrival.accept(done.operation().received(), done.room());
      }
    };
  }

  final Status exchange(
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

  final Received probe(String call, int source, int tag) {
    RankState state = RankState.active(call);
    Communicator comm = handle(call, state);
    int from = Peer.source(call, comm, source);
    int wanted = Peer.tag(call, tag);
    return telling(call, () -> state.fabric.probe(comm, from, wanted));
  }

  /** Null if there is no such message yet. */
  final Received iprobe(String call, int source, int tag) {
    RankState state = RankState.active(call);
    Communicator comm = handle(call, state);
    int from = Peer.source(call, comm, source);
    int wanted = Peer.tag(call, tag);
    return telling(call, () -> state.fabric.iprobe(comm, from, wanted)).orElse(null);
  }
}
