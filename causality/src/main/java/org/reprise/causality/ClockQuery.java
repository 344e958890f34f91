package org.reprise.causality;

import org.reprise.causality.columns.IntList;
import org.reprise.causality.columns.LongIntMap;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/** Answers from the kept clocks of a run what one moment of it knew of another rank. */
final class ClockQuery {
  private final EventTable events;
  private final Pairing pairing;
  private final MatchOrder order;
  private final Collectives collectives;
  private final Clocks clocks;

  ClockQuery(
      EventTable events,
      Pairing pairing,
      MatchOrder order,
      Collectives collectives,
      Clocks clocks) {
    this.events = events;
    this.pairing = pairing;
    this.order = order;
    this.collectives = collectives;
    this.clocks = clocks;
  }

  /** What the kept clocks alone say. */
  private enum Answer {
    YES,
    NO,
    BETWEEN
  }

  /**
   * Whether {@code count} calls of rank {@code of} had begun in the past of a call's entry, or of
   * its return. A hot path; guarded by the graph benchmark.
   */
  boolean knows(int event, boolean atReturn, int of, int count) {
    int rank = events.rank(event);
    if (of == rank) {
      return event - events.first(rank) + 1 >= count;
    }
    int until = atReturn ? event + 1 : event;
    int learned = clocks.learnedBefore(rank, until);
    return switch (fromCheckpoints(rank, learned, of, count)) {
      case YES -> true;
      case NO -> false;
      case BETWEEN -> new Walk(of, count).finds(rank, learned, until);
    };
  }

  private Answer fromCheckpoints(int rank, int learned, int of, int count) {
    int index = clocks.kept(rank, learned);
    if (clocks.atCheckpoint(rank, index, of) >= count) {
      return Answer.YES;
    }
    return clocks.sinceKept(rank, learned) == 0 || clocks.afterCheckpoint(rank, index, of) < count
        ? Answer.NO
        : Answer.BETWEEN;
  }

  /**
   * Goes back over the calls that learned something since the last kept clocks, the latest first,
   * as long as their level is above that of the call that is looked for: below, nobody knows of it.
   */
  private final class Walk {
    private final int of;
    private final int count;
    private final int floor;

    /** By rank and kept clock: up to where its calls behind that have been seen, or will be. */
    private final LongIntMap seen = new LongIntMap();

    /** Stretches of calls that learned something, and the event behind the last of each. */
    private final IntList ranks = new IntList();

    private final IntList lows = new IntList();
    private final IntList highs = new IntList();
    private final IntList ends = new IntList();

    private final IntList sources = new IntList();
    private final IntList scratch = new IntList();

    Walk(int of, int count) {
      this.of = of;
      this.count = count;
      int call = events.first(of) + count - 1;
      floor = clocks.level(of, clocks.learnedBefore(of, call));
    }

    boolean finds(int rank, int learned, int until) {
      add(rank, learned, until);
      for (int i = 0; i < ranks.size(); i++) {
        int at = ranks.get(i);
        int e = ends.get(i);
        int low = lows.get(i);
        for (int k = highs.get(i); k > low && clocks.level(at, k) > floor; k--) {
          e = clocks.previousLearned(e);
          if (isKnownFromSources(e)) {
            return true;
          }
        }
      }
      return false;
    }

    private void add(int rank, int learned, int end) {
      long key = (long) rank << 32 | clocks.kept(rank, learned);
      int before = seen.get(key);
      if (before >= learned) {
        return;
      }
      seen.put(key, learned);
      ranks.add(rank);
      lows.add(Math.max(before, learned - clocks.sinceKept(rank, learned)));
      highs.add(learned);
      ends.add(end);
    }

    private boolean isKnownFromSources(int event) {
      ClockQuery.this.sources(event, sources, scratch);
      for (int i = 0; i < sources.size(); i++) {
        int source = sources.get(i);
        int from = events.rank(source);
        if (from == of) {
          if (source - events.first(from) + 1 >= count) {
            return true;
          }
          continue;
        }
        int learned = clocks.learnedBefore(from, source);
        if (clocks.level(from, learned) <= floor) {
          continue;
        }
        switch (fromCheckpoints(from, learned, of, count)) {
          case YES -> {
            return true;
          }
          case NO -> {}
          case BETWEEN -> add(from, learned, source);
        }
      }
      return false;
    }
  }

  /** The calls whose entries a return waited for, its own rank's left out. */
  void sources(int event, IntList into, IntList scratch) {
    into.clear();
    int began = event;
    if (events.kind(event) == EventKind.COMPLETE) {
      began = events.link(event);
    }
    EventKind kind = events.kind(began);
    if (kind.isCollective()) {
      CollectiveInProgress.sources(events, collectives, began, into);
    } else if (kind.isSend()) {
      int message = events.is(began, EventFlag.SYNC) ? pairing.message(began) : Pairing.NONE;
      if (message >= 0 && pairing.receive(message) >= 0) {
        into.add(pairing.receive(message));
        order.closure(pairing.receive(message), _ -> false, scratch);
        addSends(scratch, into);
      }
    } else if (pairing.message(began) >= 0) {
      order.closure(began, r -> MatchOrder.completion(events, r) < event, scratch);
      addSends(scratch, into);
    }
  }

  private void addSends(IntList receives, IntList into) {
    for (int i = 0; i < receives.size(); i++) {
      into.add(pairing.send(pairing.message(receives.get(i))));
    }
  }

  /** How many calls of a rank had begun in the past of a moment. */
  int known(int event, boolean atReturn, int of) {
    int rank = events.rank(event);
    if (rank == of) {
      return event - events.first(rank) + 1;
    }
    int index = clocks.kept(rank, clocks.learnedBefore(rank, atReturn ? event + 1 : event));
    int low = clocks.atCheckpoint(rank, index, of);
    int high = clocks.afterCheckpoint(rank, index, of);
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (knows(event, atReturn, of, middle)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
