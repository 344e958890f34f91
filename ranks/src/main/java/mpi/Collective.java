package mpi;

import java.util.Arrays;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.CollectiveCall.Kind;
import org.reprise.ranks.fabric.CollectiveCall.Parts;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Reduction;

/**
 * One rank's part in a collective call, from the program's arrays to the fabric and back. Objects
 * have no fixed length, so their lengths go ahead in a collective call of their own; reductions of
 * objects collect them and combine where the result is wanted.
 */
final class Collective {
  private static final String NEEDS_FUNCTION =
      "a reduction of objects needs a function of yours, not MPI.";

  private final String call;
  private final RankState state;
  private final Communicator comm;
  private final int root;

  /** Whether the call is only started: the result is taken when its request is completed. */
  private final boolean starts;

  private Collective(String call, RankState state, Communicator comm, int root, boolean starts) {
    this.call = call;
    this.state = state;
    this.comm = comm;
    this.root = root;
    this.starts = starts;
  }

  /** A call that waits. */
  static Collective of(String call, Channel channel, int root) {
    return of(call, channel, root, false);
  }

  /** A call that does not: each method returns the request, otherwise null. */
  static Collective starting(String call, Channel channel, int root) {
    return of(call, channel, root, true);
  }

  private static Collective of(String call, Channel channel, int root, boolean starts) {
    RankState state = RankState.active(call);
    Communicator comm = channel.handle(call, state);
    return new Collective(call, state, comm, Peer.root(call, comm, root), starts);
  }

  /** The calling rank must be the root, or must not be: it has another form of the call. */
  Collective requireRoot(boolean wanted) {
    if (wanted) {
      Misuse.unless(isRoot(), call, "this form is the root's, which is rank ", root);
    } else {
      Misuse.unless(!isRoot(), call, "this form is not the root's, rank ", root);
    }
    return this;
  }

  int rank() {
    return comm.rank();
  }

  boolean isRoot() {
    return comm.rank() == root;
  }

  Shares equal(Object buffer, int offset, int count, Datatype type) {
    return Shares.equal(call, buffer, offset, count, type, comm.size());
  }

  Shares shares(Object buffer, int offset, int[] counts, int[] displacements, Datatype type) {
    return Shares.of(call, buffer, offset, counts, displacements, type, comm.size());
  }

  /** Shares that lie one behind the other. */
  Shares consecutive(Object buffer, int[] counts, Datatype type) {
    return shares(buffer, 0, counts, starts(counts), type);
  }

  /** The same count for each rank. */
  int[] each(int count) {
    int[] counts = new int[comm.size()];
    Arrays.fill(counts, count);
    return counts;
  }

  /** Where shares of these counts begin if they lie one behind the other. */
  int[] starts(int[] counts) {
    Misuse.unless(
        counts != null && counts.length >= comm.size(),
        call,
        "counts are needed for " + comm.size() + " ranks; found: ",
        counts == null ? 0 : counts.length);
    int[] starts = new int[counts.length];
    for (int rank = 1; rank < counts.length; rank++) {
      starts[rank] = Math.addExact(starts[rank - 1], counts[rank - 1]);
    }
    return starts;
  }

  private void call(CollectiveCall part) {
    Misuse.unless(
        !starts, call, "MPI.OBJECT is not provided in a collective call that does not wait", "");
    Channel.telling(
        call,
        () -> {
          state.fabric.collective(comm, part);
          return true;
        });
  }

  /** Makes the call, and takes its result at once or when it is completed. */
  private Request call(CollectiveCall part, Runnable take) {
    if (!starts) {
      call(part);
      take.run();
      return null;
    }
    return new Request.Plan(call, state.fabric) {
      @Override
      Request.Started start() {
        return new Request.Started(fabric.startCollective(comm, part), null);
      }

      @Override
      Status finish(Request.Started done) {
        take.run();
        return super.finish(done);
      }
    }.started();
  }

  private void call(Kind kind, Payload send, Parts sendParts, Payload receive, Parts receiveParts) {
    call(new CollectiveCall(kind, root, send, sendParts, receive, receiveParts, null));
  }

  private Request call(
      Kind kind,
      Payload send,
      Parts sendParts,
      Payload receive,
      Parts receiveParts,
      Runnable take) {
    return call(new CollectiveCall(kind, root, send, sendParts, receive, receiveParts, null), take);
  }

  Request barrier() {
    return call(CollectiveCall.barrier(), () -> {});
  }

  Request bcast(Area area) {
    if (area.type.basic == Basic.OBJECT) {
      bcastObjects(area);
      return null;
    }
    Payload data = isRoot() ? area.outgoing() : area.room();
    return call(CollectiveCall.bcast(root, data), () -> take(isRoot() ? null : area, data));
  }

  /** Puts packed elements where the program wants them, if it wants them. */
  private static void take(Area area, Payload packed) {
    if (area != null && area.type.basic != null) {
      area.acceptPacked(packed, packed.count());
    }
  }

  Request gather(Area send, Shares receive) {
    if (send.type.basic == Basic.OBJECT) {
      gatherObjects(Kind.GATHER, send, receive);
      return null;
    }
    Payload room = receive == null ? Payload.EMPTY : receive.room();
    return call(
        Kind.GATHER,
        send.outgoing(),
        null,
        room,
        receive == null ? null : receive.parts(),
        () -> {
          if (receive != null) {
            receive.accept(room);
          }
        });
  }

  Request allgather(Area send, Shares receive) {
    if (send.type.basic == Basic.OBJECT) {
      gatherObjects(Kind.ALLGATHER, send, receive);
      return null;
    }
    Payload room = receive.room();
    return call(
        Kind.ALLGATHER, send.outgoing(), null, room, receive.parts(), () -> receive.accept(room));
  }

  Request scatter(Shares send, Area receive) {
    if (receive.type.basic == Basic.OBJECT) {
      scatterObjects(send, receive);
      return null;
    }
    Payload room = receive.room();
    return call(
        Kind.SCATTER,
        send == null ? Payload.EMPTY : send.outgoing(),
        send == null ? null : send.parts(),
        room,
        null,
        () -> take(receive, room));
  }

  Request alltoall(Shares send, Shares receive) {
    if (send.areObjects()) {
      alltoallObjects(send, receive);
      return null;
    }
    Payload room = receive.room();
    return call(
        Kind.ALLTOALL,
        send.outgoing(),
        send.parts(),
        room,
        receive.parts(),
        () -> receive.accept(room));
  }

  /** A reduction whose result everybody gets; in place if both buffers are the same. */
  Request reduce(Kind kind, Object send, Object receive, int count, Datatype type, Op op) {
    return reduce(
        kind, Area.of(call, send, 0, count, type), Area.of(call, receive, 0, count, type), op);
  }

  Request reduce(Kind kind, Area send, Area receive, Op op) {
    requireOp(op);
    if (send.type.basic == Basic.OBJECT) {
      reduceObjects(kind, send, receive, op);
      return null;
    }
    Reduction reduction = op.on(call, send.type);
    Payload room = receive == null ? Payload.EMPTY : receive.room();
    // Of an exclusive scan the first rank gets nothing: its buffer stays as it is.
    Area result = kind == Kind.EXSCAN && comm.rank() == 0 ? null : receive;
    return call(
        new CollectiveCall(kind, root, send.outgoing(), null, room, null, reduction),
        () -> take(result, room));
  }

  Request reduceScatter(Shares send, Area receive, Op op) {
    requireOp(op);
    if (send.areObjects()) {
      Object[][] parts = new Object[comm.size()][];
      for (int to = 0; to < parts.length; to++) {
        parts[to] = send.area(to).objects();
      }
      Object[][] mine = exchanged(parts);
      receive.acceptObjects(combined(op, receive.type, mine, mine.length));
      return null;
    }
    Payload room = receive.room();
    return call(
        new CollectiveCall(
            Kind.REDUCE_SCATTER,
            0,
            send.outgoing(),
            null,
            room,
            send.parts(),
            op.on(call, receive.type)),
        () -> take(receive, room));
  }

  static void reduceLocal(Area in, Area inOut, Op op) {
    Misuse.unless(op != null, "reduceLocal", "there is no operation: ", null);
    if (in.type.basic == Basic.OBJECT) {
      Misuse.unless(op.function != null, "reduceLocal", NEEDS_FUNCTION, op.predefined);
      Object[] result = inOut.objects();
      op.combineObjects(in.type, in.objects(), result);
      inOut.acceptObjects(result);
      return;
    }
    Payload left = in.outgoing().copy();
    op.on("reduceLocal", in.type).combine(left, inOut.outgoing());
    inOut.acceptPacked(left, left.count());
  }

  private void requireOp(Op op) {
    Misuse.unless(op != null, call, "there is no operation: ", null);
  }

  // Objects

  private void bcastObjects(Area area) {
    byte[] bytes = isRoot() ? Serial.bytes(call, area.objects()) : new byte[0];
    int[] length = {bytes.length};
    call(CollectiveCall.bcast(root, ints(length)));
    Payload data = objects(isRoot() ? bytes : new byte[length[0]]);
    call(CollectiveCall.bcast(root, data));
    if (!isRoot()) {
      area.acceptObjects(Serial.objects(call, data));
    }
  }

  private void gatherObjects(Kind kind, Area send, Shares receive) {
    Shares.Bytes bytes = gathered(kind, send);
    if (receive != null) {
      receive.acceptObjects(bytes);
    }
  }

  /** Everybody's objects, where they are wanted; null elsewhere. */
  private Shares.Bytes gathered(Kind kind, Area send) {
    boolean wanted = kind == Kind.ALLGATHER || isRoot();
    byte[] mine = Serial.bytes(call, send.objects());
    int[] lengths = new int[wanted ? comm.size() : 0];
    call(kind, ints(new int[] {mine.length}), null, ints(lengths), null);
    Shares.Bytes all = wanted ? Shares.Bytes.room(lengths) : null;
    call(
        kind,
        objects(mine),
        null,
        all == null ? Payload.EMPTY : all.payload(),
        all == null ? null : all.parts());
    return all;
  }

  private void scatterObjects(Shares send, Area receive) {
    Shares.Bytes all = send == null ? null : send.serialised();
    int[] length = new int[1];
    call(
        Kind.SCATTER,
        all == null ? Payload.EMPTY : ints(all.parts().counts()),
        null,
        ints(length),
        null);
    Payload mine = objects(new byte[length[0]]);
    call(
        Kind.SCATTER,
        all == null ? Payload.EMPTY : all.payload(),
        all == null ? null : all.parts(),
        mine,
        null);
    receive.acceptObjects(Serial.objects(call, mine));
  }

  private void alltoallObjects(Shares send, Shares receive) {
    receive.acceptObjects(exchanged(send.serialised()));
  }

  private Shares.Bytes exchanged(Shares.Bytes out) {
    int[] lengths = new int[comm.size()];
    call(Kind.ALLTOALL, ints(out.parts().counts()), null, ints(lengths), null);
    Shares.Bytes in = Shares.Bytes.room(lengths);
    call(Kind.ALLTOALL, out.payload(), out.parts(), in.payload(), in.parts());
    return in;
  }

  private Object[][] exchanged(Object[][] parts) {
    Shares.Bytes in = exchanged(Shares.Bytes.of(call, parts));
    Object[][] mine = new Object[comm.size()][];
    for (int from = 0; from < mine.length; from++) {
      mine[from] = Serial.objects(call, in.of(from));
    }
    return mine;
  }

  private void reduceObjects(Kind kind, Area send, Area receive, Op op) {
    Misuse.unless(op.function != null, call, NEEDS_FUNCTION, op.predefined);
    Shares.Bytes bytes = gathered(kind == Kind.REDUCE ? Kind.GATHER : Kind.ALLGATHER, send);
    if (receive == null) {
      return;
    }
    int until =
        kind == Kind.SCAN ? comm.rank() + 1 : kind == Kind.EXSCAN ? comm.rank() : comm.size();
    if (until == 0) {
      return;
    }
    Object[][] each = new Object[until][];
    for (int from = 0; from < until; from++) {
      each[from] = Serial.objects(call, bytes.of(from));
    }
    receive.acceptObjects(combined(op, receive.type, each, until));
  }

  /** What the ranks contributed, combined in their order. */
  private static Object[] combined(Op op, Datatype type, Object[][] each, int ranks) {
    Object[] result = each[0];
    for (int rank = 1; rank < ranks; rank++) {
      op.combineObjects(type, result, each[rank]);
      result = each[rank];
    }
    return result;
  }

  private static Payload ints(int[] values) {
    return new Payload(BasicType.INT, values, 0, values.length);
  }

  private static Payload objects(byte[] bytes) {
    return new Payload(BasicType.OBJECT, bytes, 0, bytes.length);
  }
}
