package org.reprise.ranks.calls;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Pending;
import org.reprise.ranks.engine.PendingReceive;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.RankEnded;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.fabric.SendMode;
import org.reprise.ranks.journal.EventJournal;
import org.reprise.ranks.journal.Plan;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.file.Wire;

/**
 * Stands before a rank's fabric where events are wanted, and nowhere else: it sees what the program
 * sees, calls as they are made and what they return, and writes each down. Whether the rank is
 * recorded or replayed makes no difference to it.
 */
public final class WatchedFabric extends FabricLayer {
  private static final int NONE = -1;

  private final JobRank rank;
  private final RankFabric fabric;
  private final boolean syncSends;
  private final EventJournal events;

  /** Receives from anybody, or of any tag, whose end was not written, in the order of posting. */
  private final Set<WatchedOperation> open = new LinkedHashSet<>();

  /**
   * Watches a fabric.
   *
   * @param syncSends whether standard sends are complete only when they are received
   */
  public WatchedFabric(JobRank rank, RankFabric fabric, boolean syncSends, EventJournal events) {
    super(fabric);
    this.rank = rank;
    this.fabric = fabric;
    this.syncSends = syncSends;
    this.events = events;
    events.communicator(fabric.world());
  }

  @Override
  public void init() {
    events.begin(MpiCall.INIT);
    fabric.init();
    events.local();
  }

  @Override
  public Leftovers finish() {
    events.begin(MpiCall.FINALIZE);
    Leftovers left = fabric.finish();
    open.forEach(this::writeFate);
    events.local();
    events.end(Wire.State.FINALIZED, 0);
    return left;
  }

  /** What became of a receive that the program freed or never completed, as the recorder has it. */
  private void writeFate(WatchedOperation operation) {
    if (!(operation.operation instanceof PendingReceive receive)) {
      return;
    }
    Plan.Fate recorded = fabric.recordedFate(receive);
    if (recorded.isForced()) {
      matched(operation, recorded.source(), recorded.tagOr(receive.tag));
    } else if (recorded.isNever() || receive.never) {
      events.join(EventKind.UNMATCHED, 0, NONE, NONE, events.back(operation.event), 0);
    } else if (receive.done && !receive.received().cancelled()) {
      matched(operation, receive.received().source(), receive.received().tag());
    }
  }

  private void matched(WatchedOperation operation, int source, int tag) {
    events.join(EventKind.MATCHED, 0, source, tag, events.back(operation.event), 0);
  }

  @Override
  public RankEnded abort(int code) {
    events.begin(MpiCall.ABORT);
    events.local();
    events.end(Wire.State.ABORTED, code);
    return fabric.abort(code);
  }

  // Sends

  private int sendFlags(SendMode mode) {
    boolean waits = mode == SendMode.SYNCHRONOUS || (mode == SendMode.STANDARD && syncSends);
    return waits ? EventFlag.SYNC.bit() : 0;
  }

  @Override
  public void send(Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    events.begin(Sends.blockingCall(mode));
    long before = rank.messagesSent;
    try {
      fabric.send(comm, dest, tag, payload, mode);
    } catch (FabricError e) {
      events.local();
      throw e;
    } catch (RankEnded e) {
      sentAtLast(before, comm, dest, tag, payload, mode);
      throw e;
    }
    if (dest == PROC_NULL) {
      events.local();
    } else {
      sent(comm, dest, tag, payload, mode);
    }
  }

  private void sent(Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    events.put(
        EventKind.SEND, sendFlags(mode), dest, tag, events.communicator(comm), payload.bytes());
  }

  /** The job ended under the call; its message had left, and somebody could have taken it. */
  private void sentAtLast(
      long before, Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    if (rank.messagesSent > before) {
      sent(comm, dest, tag, payload, mode);
    }
  }

  private void locallyIfRefused(Runnable call) {
    try {
      call.run();
    } catch (FabricError e) {
      events.local();
      throw e;
    }
  }

  @Override
  public Operation startSend(Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    events.begin(Sends.startingCall(mode));
    Operation started = begun(() -> fabric.startSend(comm, dest, tag, payload, mode));
    if (dest == PROC_NULL) {
      return withNobody(started);
    }
    WatchedOperation watched = new WatchedOperation((Pending) started, events.next());
    events.put(
        EventKind.POST_SEND,
        sendFlags(mode),
        dest,
        tag,
        events.communicator(comm),
        payload.bytes());
    return watched;
  }

  /** A call that takes a post number has an event, even if it is refused then; others have none. */
  private Operation begun(Supplier<Operation> start) {
    long posts = fabric.journal().posts();
    try {
      return start.get();
    } catch (FabricError e) {
      if (fabric.journal().posts() > posts) {
        events.local();
      }
      throw e;
    }
  }

  private WatchedOperation withNobody(Operation started) {
    events.local();
    return new WatchedOperation((Pending) started, NONE);
  }

  // Receives

  private static int pattern(int source, int tag) {
    return (source == ANY_SOURCE ? EventFlag.ANY_SOURCE.bit() : 0)
        | (tag == ANY_TAG ? EventFlag.ANY_TAG.bit() : 0);
  }

  @Override
  public Received receive(Communicator comm, int source, int tag, @Nullable Payload room) {
    events.begin(MpiCall.RECV);
    Received got;
    try {
      got = fabric.receive(comm, source, tag, room);
    } catch (FabricError e) {
      took(comm, source, tag, e);
      throw e;
    }
    took(comm, source, tag, got);
    return got;
  }

  private void took(Communicator comm, int source, int tag, Received got) {
    if (source == PROC_NULL) {
      events.local();
    } else {
      events.put(
          EventKind.RECV,
          pattern(source, tag),
          got.source(),
          got.tag(),
          events.communicator(comm),
          got.bytes());
    }
  }

  /** A message that did not fit is received all the same. */
  private void took(Communicator comm, int source, int tag, FabricError failure) {
    Received got = fabric.takenInVain();
    if (got != null && isMisfit(failure)) {
      took(comm, source, tag, got);
    } else {
      events.local();
    }
  }

  private static boolean isMisfit(FabricError failure) {
    return failure.kind() == FabricError.Kind.TRUNCATE || failure.kind() == FabricError.Kind.TYPE;
  }

  @Override
  public Operation startReceive(Communicator comm, int source, int tag, @Nullable Payload room) {
    events.begin(MpiCall.IRECV);
    Operation started = begun(() -> fabric.startReceive(comm, source, tag, room));
    if (source == PROC_NULL) {
      return withNobody(started);
    }
    WatchedOperation watched = new WatchedOperation((Pending) started, events.next());
    events.put(
        EventKind.POST_RECV,
        pattern(source, tag),
        source == ANY_SOURCE ? NONE : source,
        tag,
        events.communicator(comm),
        room == null ? 0 : room.bytes());
    if (pattern(source, tag) != 0) {
      open.add(watched);
    }
    return watched;
  }

  @Override
  public Received sendReceive(
      Communicator comm,
      int dest,
      int sendTag,
      Payload payload,
      int source,
      int receiveTag,
      @Nullable Payload room) {
    events.begin(MpiCall.SENDRECV);
    long before = rank.messagesSent;
    Received got;
    try {
      got = fabric.sendReceive(comm, dest, sendTag, payload, source, receiveTag, room);
    } catch (FabricError e) {
      if (isMisfit(e)) {
        sentBesides(comm, dest, sendTag, payload);
      }
      took(comm, source, receiveTag, e);
      throw e;
    } catch (RankEnded e) {
      sentAtLast(before, comm, dest, sendTag, payload, SendMode.STANDARD);
      throw e;
    }
    sentBesides(comm, dest, sendTag, payload);
    took(comm, source, receiveTag, got);
    return got;
  }

  /** It waits for its receive, if at all, beside its own receive: an event has no room for that. */
  private void sentBesides(Communicator comm, int dest, int tag, Payload payload) {
    if (dest != PROC_NULL) {
      events.join(EventKind.SEND, 0, dest, tag, events.communicator(comm), payload.bytes());
    }
  }

  // Probes

  @Override
  public Received probe(Communicator comm, int source, int tag) {
    events.begin(MpiCall.PROBE);
    Received[] seen = new Received[1];
    locallyIfRefused(() -> seen[0] = fabric.probe(comm, source, tag));
    saw(comm, source, tag, seen[0], 0);
    return seen[0];
  }

  private void saw(Communicator comm, int source, int tag, Received seen, int flags) {
    if (source == PROC_NULL) {
      events.local();
    } else {
      events.put(
          EventKind.PROBE,
          flags | pattern(source, tag),
          seen.source(),
          seen.tag(),
          events.communicator(comm),
          seen.bytes());
    }
  }

  @Override
  public Optional<Received> iprobe(Communicator comm, int source, int tag) {
    events.begin(MpiCall.IPROBE);
    Optional<Received> found;
    try {
      found = fabric.iprobe(comm, source, tag);
    } catch (FabricError e) {
      events.local();
      throw e;
    }
    found.ifPresentOrElse(
        seen -> saw(comm, source, tag, seen, EventFlag.POLL.bit()),
        () ->
            events.probeFailed(
                comm, pattern(source, tag), source == ANY_SOURCE ? NONE : source, tag));
    return found;
  }

  // Completion

  @Override
  public int @Nullable [] complete(@Nullable Operation[] operations, CompletionMode mode) {
    events.begin(mode.call());
    int flags =
        mode == CompletionMode.WAIT || mode == CompletionMode.WAIT_ALL ? 0 : EventFlag.POLL.bit();
    int[] indices;
    try {
      indices = fabric.complete(inner(operations), mode);
    } catch (FabricError e) {
      // Some may have failed, and all that the call reported are complete.
      int[] all = new int[operations.length];
      Arrays.setAll(all, i -> i);
      completed(operations, all, flags);
      throw e;
    }
    if (indices == null) {
      events.testFailed(posts(operations));
    } else {
      if (flags != 0 && events.tellsPolls()) {
        events.asked(posts(operations));
      }
      completed(operations, indices, flags);
    }
    return indices;
  }

  /** The events that began requests; of those that are null, or with nobody, there is none. */
  private static long[] posts(@Nullable Operation[] operations) {
    return Arrays.stream(operations)
        .mapToLong(each -> each instanceof WatchedOperation watched ? watched.event : NONE)
        .toArray();
  }

  private static @Nullable Operation[] inner(@Nullable Operation[] operations) {
    @Nullable Operation[] inner = new Operation[operations.length];
    for (int i = 0; i < operations.length; i++) {
      inner[i] = inner(operations[i]);
    }
    return inner;
  }

  private static @Nullable Operation inner(@Nullable Operation operation) {
    return operation instanceof WatchedOperation watched ? watched.operation : operation;
  }

  private void completed(@Nullable Operation[] operations, int[] indices, int flags) {
    WatchedOperation last = null;
    for (int index : indices) {
      if (operations[index] instanceof WatchedOperation watched
          && watched.operation.reported
          && !watched.ended
          && watched.event != NONE) {
        watched.ended = true;
        open.remove(watched);
        if (last != null) {
          completed(last, flags, false);
        }
        last = watched;
      }
    }
    if (last == null) {
      events.local();
    } else {
      completed(last, flags, true);
    }
  }

  private void completed(WatchedOperation operation, int flags, boolean isLast) {
    int peer = NONE;
    int tag = NONE;
    long bytes = 0;
    int all = flags;
    if (operation.operation instanceof PendingReceive receive) {
      Received got = receive.received();
      if (got.cancelled()) {
        all |= EventFlag.CANCELLED.bit();
      } else {
        peer = got.source();
        tag = got.tag();
        bytes = got.bytes();
      }
    }
    long back = events.back(operation.event);
    if (isLast) {
      events.put(EventKind.COMPLETE, all, peer, tag, back, bytes);
    } else {
      events.join(EventKind.COMPLETE, all, peer, tag, back, bytes);
    }
  }

  @Override
  public void cancel(Operation operation) {
    events.begin(MpiCall.CANCEL);
    locallyIfRefused(() -> fabric.cancel(required(operation)));
    linked(EventKind.CANCEL, operation);
  }

  @Override
  public void release(Operation operation) {
    events.begin(MpiCall.REQUEST_FREE);
    locallyIfRefused(() -> fabric.release(required(operation)));
    linked(EventKind.FREE, operation);
    if (operation instanceof WatchedOperation watched) {
      watched.ended = true;
    }
  }

  private static Operation required(Operation operation) {
    return operation instanceof WatchedOperation watched ? watched.operation : operation;
  }

  private void linked(EventKind kind, Operation operation) {
    if (operation instanceof WatchedOperation watched && watched.event != NONE) {
      events.put(kind, 0, NONE, NONE, events.back(watched.event), 0);
    } else {
      events.local();
    }
  }

  // Collective calls

  @Override
  public void collective(Communicator comm, CollectiveCall call) {
    events.begin(call.kind().call());
    locallyIfRefused(() -> fabric.collective(comm, call));
    DataFlow flow = DataFlow.of(comm, call);
    events.listed(flow.peers());
    events.collective(comm, flow.flow(), flow.root(), flow.bytes());
  }

  @Override
  public Operation startCollective(Communicator comm, CollectiveCall call) {
    events.begin(call.kind().startingCall());
    Operation started = begun(() -> fabric.startCollective(comm, call));
    DataFlow flow = DataFlow.of(comm, call);
    events.listed(flow.peers());
    WatchedOperation watched = new WatchedOperation((Pending) started, events.next());
    events.put(
        EventKind.POST_COLLECTIVE,
        0,
        flow.root(),
        flow.flow().ordinal(),
        events.communicator(comm),
        flow.bytes());
    return watched;
  }

  @Override
  public Communicator dup(Communicator comm) {
    return made(MpiCall.COMM_DUP, comm, () -> fabric.dup(comm));
  }

  @Override
  public @Nullable Communicator split(Communicator comm, int color, int key) {
    return made(MpiCall.COMM_SPLIT, comm, () -> fabric.split(comm, color, key));
  }

  @Override
  public @Nullable Communicator create(Communicator comm, int[] ranks, MpiCall how) {
    return made(how, comm, () -> fabric.create(comm, ranks, how));
  }

  @Override
  public Communicator merge(Communicator inter, boolean high) {
    return made(MpiCall.INTERCOMM_MERGE, inter, () -> fabric.merge(inter, high));
  }

  /** A communicator that all members of another make together. */
  private <T extends @Nullable Communicator> T made(
      MpiCall call, Communicator parent, Supplier<T> making) {
    events.begin(call);
    T made;
    try {
      made = making.get();
    } catch (FabricError e) {
      events.local();
      throw e;
    }
    if (made != null) {
      events.communicator(made);
    }
    events.collective(parent, CollectiveFlow.EVERYBODY, NONE, 0);
    return made;
  }

  /**
   * Nobody waits for more than he is told: the members of a group for their leader, and the leaders
   * for each other.
   */
  @Override
  public Communicator createInter(
      Communicator local, int leader, @Nullable Communicator peer, int remoteLeader, int tag) {
    events.begin(MpiCall.INTERCOMM_CREATE);
    Communicator made;
    try {
      made = fabric.createInter(local, leader, peer, remoteLeader, tag);
    } catch (FabricError e) {
      events.local();
      throw e;
    }
    int flow = CollectiveFlow.FROM_ROOT.ordinal();
    events.communicator(made);
    events.join(EventKind.COLLECTIVE, 0, leader, flow, events.communicator(local), 0);
    CollectiveFlow across = CollectiveFlow.NONE;
    if (local.rank() == leader && peer != null) {
      events.listed(new int[] {placeOf(made, worldRank(peer, remoteLeader))});
      across = CollectiveFlow.LISTED;
    }
    events.collective(made, across, NONE, 0);
    return made;
  }

  private static int worldRank(Communicator comm, int peer) {
    return comm.isInter() ? comm.remoteWorldRank(peer) : comm.worldRank(peer);
  }

  private static int placeOf(Communicator inter, int world) {
    int place = 0;
    while (inter.remoteWorldRank(place) != world) {
      place++;
    }
    return place;
  }

  @Override
  public void free(Communicator comm) {
    events.begin(MpiCall.COMM_FREE);
    locallyIfRefused(() -> fabric.free(comm));
    events.local();
  }
}
