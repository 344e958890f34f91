package org.reprise.recovery;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.causality.Deliveries;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;

/**
 * What MRT would have cost while the program ran (Thoai and Volkert 2003, section 7), simulated
 * over the events of a run. Messages carry the sender's index, the time since its mark, and what it
 * knows of the marks of all ranks. What a rank receives it keeps in temporary storage, unless rule
 * 1 or rule 3 has it logged at once. At mark i + 1 it tells all others which marks i happened
 * before it, and waits until it has heard the same of them; then rule 2 decides over what it
 * received in interval i - 1. Ranks that wait so are late with all that follows, as far as it does
 * not take up a wait of the run itself.
 *
 * <p>Where we read the paper: a rank that is blocked in a receive when its period is over takes its
 * mark there, in front of that call, and answers the others; if it did not, ranks that wait for
 * each other's messages and marks would wait for ever. A rank that has ended answers at once, and
 * so does one whose index is higher already. What is undecided at the end of the run is not logged.
 */
public final class OnTheFly {
  /** What a rank does when the time has come. */
  private enum Action {
    ENTER,
    LEAVE,
    /** The period of a rank that is blocked is over. */
    TIMER,
    /** All others have answered. */
    RESUME
  }

  private record Agenda(long nanos, long order, int rank, Action action, int turn) {}

  /** Something received that rule 2 has not decided about. */
  private record Received(int event, int from, int index, long bytes) {}

  private final Timeline timeline;
  private final EventTable events;
  private final Deliveries deliveries;
  private final Pairing pairing;
  private final long periodNanos;
  private final long latencyNanos;
  private final Set<LoggingRule> rules;
  private final Marks.Builder taken;
  private final RankState[] ranks;
  private final PriorityQueue<Agenda> agenda =
      new PriorityQueue<>(Comparator.comparingLong(Agenda::nanos).thenComparingLong(Agenda::order));

  /** By event: when its call was entered, -1 before; the sender's index; and what it knew. */
  private final long[] entered;

  private final int[] indexAt;
  private final int[] @Nullable [] knewAt;
  private final long[] sinceMarkAt;

  private final BitSet messages = new BitSet();
  private final BitSet results = new BitSet();
  private long order;
  private long storageBytes;
  private long storageBytesMax;
  private int marks;

  private OnTheFly(Timeline timeline, long periodNanos, long latencyNanos, Set<LoggingRule> rules) {
    this.timeline = timeline;
    this.rules = rules;
    taken = new Marks.Builder(timeline);
    events = timeline.events();
    deliveries = timeline.deliveries();
    pairing = timeline.graph().pairing();
    this.periodNanos = periodNanos;
    this.latencyNanos = latencyNanos;
    entered = new long[events.size()];
    Arrays.fill(entered, -1);
    indexAt = new int[events.size()];
    sinceMarkAt = new long[events.size()];
    knewAt = new int[events.size()][];
    ranks = new RankState[timeline.ranks()];
    Arrays.setAll(ranks, RankState::new);
    long start = timeline.startNanos();
    for (RankState one : ranks) {
      long first = timeline.at(one.rank, 0) - start;
      one.mark(0, first);
      if (timeline.end(one.rank) == 0) {
        one.ended = true;
      } else {
        plan(first, one, Action.ENTER);
      }
    }
    while (!agenda.isEmpty()) {
      Agenda next = agenda.poll();
      RankState one = ranks[next.rank];
      if (next.turn == one.turn) {
        act(one, next);
      }
    }
  }

  /** The paper's variant by a period, where a message of the coordination takes so long. */
  public static OnTheFly of(Timeline timeline, Period.OfTime period, long latencyNanos) {
    return of(timeline, period, latencyNanos, Policy.MRT.rules());
  }

  static OnTheFly of(
      Timeline timeline, Period.OfTime period, long latencyNanos, Set<LoggingRule> rules) {
    return new OnTheFly(timeline, period.nanos(), latencyNanos, rules);
  }

  /** One rank while it runs. */
  private final class RankState {
    private final int rank;

    /** By rank: the highest mark of it that happened before. Replaced, never changed. */
    private int[] knows;

    /** The indices of its marks, when they were taken, and what the rank knew then. */
    private final List<Integer> indices = new ArrayList<>();

    private final List<Long> times = new ArrayList<>();
    private final List<int[]> rows = new ArrayList<>();
    private List<Received> storage = new ArrayList<>();

    /** The number of its call's first event, and when that was entered. */
    private int at;

    private long entry;
    private boolean inside;
    private boolean marked;
    private boolean ended;
    private boolean coordinating;
    private boolean heard;

    /** The event that it waits for, or NONE. */
    private int awaited = EventTable.NONE;

    private final List<Integer> waiters = new ArrayList<>();

    /** An entry of the agenda that belongs to an earlier turn is void. */
    private int turn;

    private long coordinationNanos;

    RankState(int rank) {
      this.rank = rank;
      knows = new int[timeline.ranks()];
      Arrays.fill(knows, -1);
    }

    int event() {
      return events.event(rank, at);
    }

    int index() {
      return indices.getLast();
    }

    void mark(int index, long nanos) {
      rows.add(knows);
      indices.add(index);
      times.add(nanos);
      knows = knows.clone();
      knows[rank] = index;
      marks++;
    }

    /** The place of its first mark with this index or a higher one; -1 if it has none yet. */
    int withIndex(int index) {
      int place = indices.size();
      while (place > 0 && indices.get(place - 1) >= index) {
        place--;
      }
      return place < indices.size() ? place : -1;
    }
  }

  private void plan(long nanos, RankState one, Action action) {
    agenda.add(new Agenda(nanos, order++, one.rank, action, one.turn));
  }

  private void act(RankState one, Agenda next) {
    switch (next.action) {
      case ENTER -> enter(one, next.nanos);
      case LEAVE -> leave(one, next.nanos);
      case TIMER -> {
        if (!one.coordinating && one.awaited >= 0) {
          take(one, one.index() + 1, next.nanos);
        }
      }
      case RESUME -> resume(one, next.nanos);
    }
  }

  private void enter(RankState one, long now) {
    if (!one.marked && now - one.times.getLast() >= periodNanos) {
      one.marked = true;
      take(one, one.index() + 1, now);
      return;
    }
    one.marked = false;
    one.inside = true;
    one.entry = now;
    for (int event = one.event(); event <= timeline.callEnd(one.event()); event++) {
      entered[event] = now;
      indexAt[event] = one.index();
      sinceMarkAt[event] = now - one.times.getLast();
      knewAt[event] = one.knows;
    }
    List<Integer> waiters = List.copyOf(one.waiters);
    one.waiters.clear();
    for (int waiter : waiters) {
      RankState other = ranks[waiter];
      if (entered[other.awaited] < 0) {
        one.waiters.add(waiter);
      } else {
        other.awaited = EventTable.NONE;
        if (!other.coordinating) {
          other.turn++;
          plan(now, other, Action.LEAVE);
        }
      }
    }
    leave(one, now);
  }

  /** Leaves the call if all that it gets is there, and no mark has to be taken before. */
  private void leave(RankState one, long now) {
    int first = one.event();
    int last = timeline.callEnd(first);
    int[] missing = {EventTable.NONE};
    int[] needed = {0};
    long[] latest = {Long.MIN_VALUE, Long.MIN_VALUE};
    for (int event = first; event <= last; event++) {
      timeline.sources(
          event,
          source -> {
            if (entered[source] < 0) {
              missing[0] = source;
            } else {
              needed[0] = Math.max(needed[0], indexAt[source]);
              latest[0] = Math.max(latest[0], entered[source]);
              latest[1] = Math.max(latest[1], timeline.entry(source));
            }
          });
    }
    if (missing[0] >= 0) {
      one.awaited = missing[0];
      ranks[events.rank(missing[0])].waiters.add(one.rank);
      plan(Math.max(now, one.times.getLast() + periodNanos), one, Action.TIMER);
      return;
    }
    if (needed[0] > one.index()) {
      take(one, needed[0], now);
      return;
    }
    long took = timeline.exit(first) - timeline.entry(first);
    long exit = one.entry + took;
    if (latest[0] != Long.MIN_VALUE) {
      long behind = timeline.exit(first) - latest[1];
      // It waited in the run, or what it got was there.
      exit =
          latest[1] > timeline.entry(first)
              ? Math.max(one.entry, latest[0] + Math.max(0, behind))
              : Math.max(exit, latest[0]);
    }
    exit = Math.max(exit, now);
    for (int event = first; event <= last; event++) {
      receive(one, event, exit);
    }
    one.inside = false;
    one.turn++;
    one.at = last + 1 - events.first(one.rank);
    if (one.at == timeline.end(one.rank)) {
      one.ended = true;
      answer(exit);
    } else {
      plan(exit + timeline.entry(last + 1) - timeline.exit(last), one, Action.ENTER);
    }
  }

  private void receive(RankState one, int event, long exit) {
    int message = deliveries.message(event);
    if (message >= 0 ? messages.get(message) : results.get(event)) {
      return;
    }
    timeline.sources(
        event,
        source -> {
          learn(one, knewAt[source]);
          boolean now =
              indexAt[source] < one.index()
                  || rules.contains(LoggingRule.ELAPSED)
                      && sinceMarkAt[source] + latencyNanos > exit - one.times.getLast();
          if (now) {
            log(event);
          } else {
            long size = events.bytes(source);
            one.storage.add(new Received(event, events.rank(source), one.index(), size));
            storageBytes += size;
            storageBytesMax = Math.max(storageBytesMax, storageBytes);
          }
        });
  }

  private void log(int event) {
    int message = deliveries.message(event);
    if (message >= 0) {
      messages.set(message);
    } else {
      results.set(event);
    }
  }

  private static void learn(RankState one, int @Nullable [] theirs) {
    boolean news = false;
    for (int rank = 0; theirs != null && rank < theirs.length; rank++) {
      news |= theirs[rank] > one.knows[rank];
    }
    if (theirs != null && news) {
      int[] both = one.knows.clone();
      for (int rank = 0; rank < both.length; rank++) {
        both[rank] = Math.max(both[rank], theirs[rank]);
      }
      one.knows = both;
    }
  }

  /** Takes a mark, and waits for what all others have to say at theirs. */
  private void take(RankState one, int index, long now) {
    one.mark(index, now);
    taken.add(one.rank, index, one.at, VirtualCheckpoint.Cause.PERIOD);
    one.coordinating = true;
    one.turn++;
    answer(now);
  }

  /** Lets those go on who have heard of everybody. */
  private void answer(long now) {
    for (RankState one : ranks) {
      if (one.coordinating && !one.heard && hasHeard(one)) {
        one.heard = true;
        one.turn++;
        plan(now + latencyNanos, one, Action.RESUME);
      }
    }
  }

  private boolean hasHeard(RankState one) {
    for (RankState other : ranks) {
      if (!other.ended && other.withIndex(one.index()) < 0) {
        return false;
      }
    }
    return true;
  }

  private void resume(RankState one, long now) {
    one.coordinating = false;
    one.heard = false;
    one.coordinationNanos += now - one.times.getLast();
    decide(one);
    one.turn++;
    if (!one.inside) {
      enter(one, now);
    } else if (one.awaited < 0) {
      leave(one, now);
    } else {
      plan(Math.max(now, one.times.getLast() + periodNanos), one, Action.TIMER);
    }
  }

  /** Rule 2 for all that was received two intervals ago, or before. */
  private void decide(RankState one) {
    List<Received> kept = new ArrayList<>();
    for (Received received : one.storage) {
      if (received.index + 2 > one.index()) {
        kept.add(received);
        continue;
      }
      storageBytes -= received.bytes;
      if (received.from != one.rank && !isKnown(one.rank, received.from, received.index + 1)) {
        log(received.event);
      }
    }
    one.storage = kept;
  }

  /** Both conditions, by what ranks knew at their marks {@code index} + 1. */
  private boolean isKnown(int p, int q, int index) {
    for (RankState s : ranks) {
      int place = s.withIndex(index + 1);
      int[] row = place < 0 ? null : s.rows.get(place);
      if (row != null && s.rank != p && row[p] < index && (s.rank == q || row[q] >= index)) {
        return false;
      }
    }
    return true;
  }

  /** How many messages are logged. */
  public long messages() {
    return messages.cardinality();
  }

  /** Their share of all messages, from 0 to 1. */
  public double share() {
    return pairing.messages() == 0 ? 0 : (double) messages() / pairing.messages();
  }

  /** Bytes of the messages that are logged. */
  public long bytes() {
    return messages.stream().mapToLong(one -> events.bytes(pairing.send(one))).sum();
  }

  boolean hasMessage(int message) {
    return messages.get(message);
  }

  /** How many results of collectives are logged. */
  public long results() {
    return results.cardinality();
  }

  /** Checkpoints of all ranks. */
  public int count() {
    return marks;
  }

  /** Where they were taken. */
  Marks marks() {
    return taken.build();
  }

  /** How long a rank waited for others at its marks, in the mean. */
  public double coordinationNanosMean() {
    return Arrays.stream(ranks).mapToLong(one -> one.coordinationNanos).average().orElse(0);
  }

  /** The same of the rank that waited longest. */
  public long coordinationNanosMax() {
    return Arrays.stream(ranks).mapToLong(one -> one.coordinationNanos).max().orElse(0);
  }

  /** What was in temporary storage at once, of all ranks, at most. */
  public long storageBytesMax() {
    return storageBytesMax;
  }

  /** Whether all ranks came to their end. */
  public boolean isWhole() {
    return Arrays.stream(ranks).allMatch(one -> one.ended);
  }
}
