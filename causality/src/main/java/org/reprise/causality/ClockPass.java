package org.reprise.causality;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.causality.columns.Column;
import org.reprise.causality.columns.IntList;
import org.reprise.trace.UserError;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * Goes once through the events of all ranks, in an order that respects everything that orders them,
 * and works out the clocks. Each rank runs until a call has to wait for the entry of another rank's
 * call, like the ranks of the run did. A rank's clock changes only when a call learns something, so
 * messages sent in between share one; a clock is copied when it changes while messages hold it.
 */
final class ClockPass {
  /** Calls of one rank in a row: ranks that keep in step have few messages under way. */
  private static final int BURST = 256;

  /** Turns of ranks between two reports of progress. */
  private static final int TURNS_SHOWN = 1 << 12;

  private static final long CLOCK_SLOT_BYTES = Integer.BYTES;

  /** Whatever memory is allowed, so much may be used. */
  private static final long FEWEST_CLOCK_BYTES = 1L << 28;

  private final EventTable events;
  private final Pairing pairing;
  private final MatchOrder order;
  private final Collectives collectives;
  private final int ranks;

  /** Clocks that may be made: those kept, and as many again for messages under way. */
  private final long mostClocks;

  private long made;
  private final int[] known;
  private final RankedBits.Builder learned;
  private final int stride;
  private final KeptClocks kept;

  /** By rank: the levels of its clock, after each call that learned something. */
  private final Column[] levels;

  private final Clock[] current;
  private final ArrayDeque<Clock> spare = new ArrayDeque<>();

  /** Clocks of senders, until the message has been taken into account where it was received. */
  private final @Nullable Clock[] sent;

  /** Clocks of receivers at the post of receives that synchronous sends wait for. */
  private final @Nullable Clock[] posted;

  private final BitSet absorbed = new BitSet();
  private final BitSet pinned = new BitSet();
  private final @Nullable CollectiveInProgress[] gatherings;

  private final int[] position;
  private final int[] begun;
  private final boolean[] inside;
  private final ArrayDeque<Integer> ready = new ArrayDeque<>();

  /** Ranks that wait for an entry of each rank, as linked lists; and the lowest entry awaited. */
  private final int[] firstWaiter;

  private final int[] nextWaiter;
  private final int[] awaited;
  private final int[] lowestAwaited;
  private final IntList closure = new IntList();

  ClockPass(
      EventTable events,
      Pairing pairing,
      MatchOrder order,
      Collectives collectives,
      long checkpointBytes,
      Progress progress) {
    this.events = events;
    this.pairing = pairing;
    this.order = order;
    this.collectives = collectives;
    ranks = events.ranks();
    kept = new KeptClocks(ranks);
    long clockBytes = CLOCK_SLOT_BYTES * ranks + 32;
    long most = 3 * Math.max(checkpointBytes, EventGraph.clockBytes());
    mostClocks = Math.max(FEWEST_CLOCK_BYTES, most) / clockBytes;
    known = new int[pairing.messages()];
    sent = new Clock[pairing.messages()];
    posted = pairing.anySynchronous() ? new Clock[pairing.messages()] : new Clock[0];
    learned = new RankedBits.Builder(events.size());
    levels = new Column[ranks];
    Arrays.setAll(levels, _ -> new Column());
    gatherings = new CollectiveInProgress[collectives.instances()];
    current = new Clock[ranks];
    position = new int[ranks];
    begun = new int[ranks];
    inside = new boolean[ranks];
    firstWaiter = new int[ranks];
    nextWaiter = new int[ranks];
    awaited = new int[ranks];
    lowestAwaited = new int[ranks];
    stride = stride(checkpointBytes);
    Arrays.fill(firstWaiter, EventTable.NONE);
    Arrays.fill(lowestAwaited, Integer.MAX_VALUE);
    for (int rank = 0; rank < ranks; rank++) {
      current[rank] = fresh();
      current[rank].holders = 1;
      ready.add(rank);
    }
    pinForSynchronous();
    pinForProbes();
    long done = 0;
    for (int turn = 1; !ready.isEmpty(); turn++) {
      int rank = ready.poll();
      done -= position[rank];
      run(rank);
      done += position[rank];
      if (turn % TURNS_SHOWN == 0) {
        progress.at(Progress.Pass.ORDERING, done, events.size());
      }
    }
  }

  /** As few calls between two kept clocks as the memory for them allows. */
  private int stride(long checkpointBytes) {
    long most = 0;
    for (int e = 0; e < events.size(); e++) {
      most += mayLearn(e) ? 1 : 0;
    }
    long clocks = Math.max(1, (long) (checkpointBytes / (KeptClocks.SLOT_BYTES * ranks)));
    return (int) Math.min(1 << 20, Math.max(1, (most + clocks - 1) / clocks));
  }

  private boolean mayLearn(int event) {
    EventKind kind = events.kind(event);
    int post = kind == EventKind.COMPLETE ? events.link(event) : EventTable.NONE;
    EventKind began = post < 0 ? kind : events.kind(post);
    return switch (began) {
      case RECV, MPROBE, PROBE, COLLECTIVE -> true;
      case POST_RECV, POST_COLLECTIVE -> post >= 0;
      case SEND -> events.is(event, EventFlag.SYNC);
      case POST_SEND -> post >= 0 && events.is(post, EventFlag.SYNC);
      default -> false;
    };
  }

  /** A synchronous send may ask for clocks of messages that the receiver is long done with. */
  private void pinForSynchronous() {
    if (posted.length == 0 || order.isEmpty()) {
      return;
    }
    for (int m = 0; m < pairing.messages(); m++) {
      if (pairing.receive(m) >= 0 && events.is(pairing.send(m), EventFlag.SYNC)) {
        order.closure(pairing.receive(m), r -> pinned.get(pairing.message(r)), closure);
        for (int i = 0; i < closure.size(); i++) {
          pinned.set(pairing.message(closure.get(i)));
        }
      }
    }
  }

  /** A message that was seen and never received has nobody else who would keep its clock. */
  private void pinForProbes() {
    for (int e = 0; e < events.size(); e++) {
      if (events.kind(e) == EventKind.PROBE && pairing.message(e) >= 0) {
        int message = pairing.message(e);
        if (pairing.receive(message) < 0) {
          pinned.set(message);
        }
      }
    }
  }

  private void run(int rank) {
    int first = events.first(rank);
    int size = events.size(rank);
    for (int burst = 0; position[rank] < size; burst++) {
      if (burst == BURST) {
        ready.add(rank);
        return;
      }
      int event = first + position[rank];
      if (!inside[rank]) {
        enter(rank, event);
        inside[rank] = true;
        begun[rank] = position[rank] + 1;
        if (begun[rank] > lowestAwaited[rank]) {
          wake(rank);
        }
      }
      if (!leave(rank, event)) {
        return;
      }
      inside[rank] = false;
      position[rank]++;
    }
  }

  private void enter(int rank, int event) {
    EventKind kind = events.kind(event);
    if (kind.isSend()) {
      int message = pairing.message(event);
      if (message >= 0) {
        int to = events.peer(event);
        known[message] = to == rank ? position[rank] + 1 : current[rank].slots[to];
        if (pairing.receive(message) >= 0 || pinned.get(message)) {
          sent[message] = hold(current[rank]);
        }
      }
    } else if (Pairing.isReceive(kind)) {
      int message = pairing.message(event);
      if (message >= 0 && events.is(pairing.send(message), EventFlag.SYNC)) {
        posted[message] = hold(current[rank]);
      }
    } else if (kind.isCollective()) {
      gathering(collectives.instance(event)).arrive(rank, position[rank] + 1, current[rank]);
    }
  }

  private CollectiveInProgress gathering(int instance) {
    CollectiveInProgress gathering = gatherings[instance];
    if (gathering == null) {
      gathering = new CollectiveInProgress(this, collectives, instance);
      gatherings[instance] = gathering;
    }
    return gathering;
  }

  /** Takes into account what a call waited for; false if that has not happened yet. */
  private boolean leave(int rank, int event) {
    EventKind kind = events.kind(event);
    int began = event;
    if (kind == EventKind.COMPLETE) {
      began = events.link(event);
      kind = events.kind(began);
      if (kind == EventKind.POST_RECV) {
        return leaveReceive(rank, event, began);
      }
    }
    return switch (kind) {
      case RECV, MPROBE, PROBE -> leaveReceive(rank, event, began);
      case SEND -> leaveSend(rank, event, began);
      case POST_SEND -> began == event || leaveSend(rank, event, began);
      case COLLECTIVE -> leaveCollective(rank, event, began);
      case POST_COLLECTIVE -> began == event || leaveCollective(rank, event, began);
      default -> true;
    };
  }

  private boolean leaveReceive(int rank, int event, int receive) {
    int message = pairing.message(receive);
    if (message < 0 || absorbed.get(message) && events.kind(receive) != EventKind.PROBE) {
      return true;
    }
    order.closure(receive, r -> absorbed.get(pairing.message(r)), closure);
    for (int i = 0; i < closure.size(); i++) {
      if (!hasBegun(rank, pairing.send(pairing.message(closure.get(i))))) {
        return false;
      }
    }
    Clock clock = changeable(rank);
    for (int i = 0; i < closure.size(); i++) {
      int each = pairing.message(closure.get(i));
      int from = pairing.send(each);
      Clock theirs = sent[each];
      if (theirs != null) {
        int source = events.rank(from);
        clock.join(theirs);
        clock.raise(source, from - events.first(source) + 1);
        if (events.kind(closure.get(i)) != EventKind.PROBE) {
          absorbed.set(each);
          if (!pinned.get(each)) {
            release(theirs);
            sent[each] = null;
          }
        }
      }
    }
    learn(rank, event);
    return true;
  }

  /** A synchronous send has completed when its message was matched. */
  private boolean leaveSend(int rank, int event, int send) {
    int message = events.is(send, EventFlag.SYNC) ? pairing.message(send) : Pairing.NONE;
    int receive = message < 0 ? Pairing.NONE : pairing.receive(message);
    if (receive < 0) {
      return true;
    }
    if (!hasBegun(rank, receive)) {
      return false;
    }
    order.closure(receive, _ -> false, closure);
    for (int i = 1; i < closure.size(); i++) {
      if (!hasBegun(rank, pairing.send(pairing.message(closure.get(i))))) {
        return false;
      }
    }
    Clock clock = changeable(rank);
    int receiver = events.rank(receive);
    Clock theirs = posted[message];
    if (theirs != null) {
      clock.join(theirs);
      clock.raise(receiver, receive - events.first(receiver) + 1);
      release(theirs);
      posted[message] = null;
    }
    for (int i = 1; i < closure.size(); i++) {
      int from = pairing.send(pairing.message(closure.get(i)));
      Clock others = sent[pairing.message(closure.get(i))];
      if (others != null) {
        int source = events.rank(from);
        clock.join(others);
        clock.raise(source, from - events.first(source) + 1);
      }
    }
    learn(rank, event);
    return true;
  }

  private boolean leaveCollective(int rank, int event, int call) {
    int instance = collectives.instance(call);
    CollectiveInProgress gathering = gathering(instance);
    if (!gathering.isReady(rank, call)) {
      return false;
    }
    gathering.give(rank, call, event == call, event);
    if (gathering.left()) {
      gatherings[instance] = null;
    }
    return true;
  }

  EventTable events() {
    return events;
  }

  int ranks() {
    return ranks;
  }

  /** A clock of this rank that may be changed. */
  Clock changeable(int rank) {
    Clock clock = current[rank];
    if (clock.holders > 1) {
      Clock copy = fresh();
      copy.copy(clock);
      copy.holders = 1;
      clock.holders--;
      current[rank] = copy;
      return copy;
    }
    return clock;
  }

  /** Makes a shared clock the rank's own. */
  void adopt(int rank, Clock clock) {
    release(current[rank]);
    current[rank] = hold(clock);
  }

  Clock fresh() {
    Clock clock = spare.poll();
    if (clock == null) {
      if (++made > mostClocks) {
        throw new UserError(
            "the events of this run need more memory than they may have",
            made * CLOCK_SLOT_BYTES * ranks / (1 << 20) + " MB of clocks for messages under way",
            "analyse a shorter run, or give Reprise more memory (REPRISE_HEAP=16g)");
      }
      clock = new Clock(ranks);
    }
    return clock;
  }

  static Clock hold(Clock clock) {
    clock.holders++;
    return clock;
  }

  void release(Clock clock) {
    if (--clock.holders == 0) {
      spare.push(clock);
    }
  }

  /** Notes that a rank knows more at this return than before, and keeps every n-th clock. */
  void learn(int rank, int event) {
    learned.set(event);
    levels[rank].add(current[rank].level);
    if (Clocks.sinceKept(rank, levels[rank].size(), stride) == 0) {
      kept.add(rank, current[rank]);
    }
  }

  /** Whether a call of some rank has begun; if not, {@code rank} is woken when it does. */
  boolean hasBegun(int rank, int event) {
    int other = events.rank(event);
    int number = event - events.first(other);
    if (begun[other] > number) {
      return true;
    }
    awaited[rank] = number;
    nextWaiter[rank] = firstWaiter[other];
    firstWaiter[other] = rank;
    lowestAwaited[other] = Math.min(lowestAwaited[other], number);
    return false;
  }

  private void wake(int rank) {
    int waiter = firstWaiter[rank];
    firstWaiter[rank] = EventTable.NONE;
    lowestAwaited[rank] = Integer.MAX_VALUE;
    while (waiter >= 0) {
      int next = nextWaiter[waiter];
      if (awaited[waiter] < begun[rank]) {
        ready.add(waiter);
      } else {
        nextWaiter[waiter] = firstWaiter[rank];
        firstWaiter[rank] = waiter;
        lowestAwaited[rank] = Math.min(lowestAwaited[rank], awaited[waiter]);
      }
      waiter = next;
    }
  }

  void wakeRank(int rank) {
    ready.add(rank);
  }

  int[] processed() {
    return position;
  }

  int[] known() {
    return known;
  }

  RankedBits.Builder learned() {
    return learned;
  }

  Column[] levels() {
    return levels;
  }

  int stride() {
    return stride;
  }

  KeptClocks kept() {
    return kept;
  }

  List<Clock> last() {
    return List.of(current);
  }
}
