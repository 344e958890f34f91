package org.reprise.causality;

import org.reprise.trace.EventFlag;
import org.reprise.trace.EventKind;

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
    return switch (fromCheckpoints(rank, until, of, count)) {
      case YES -> true;
      case NO -> false;
      case BETWEEN -> search(rank, until, of, count);
    };
  }

  private Answer fromCheckpoints(int rank, int until, int of, int count) {
    int learned = clocks.learnedBefore(rank, until);
    int index = learned / clocks.stride();
    if (clocks.atCheckpoint(rank, index, of) >= count) {
      return Answer.YES;
    }
    return learned % clocks.stride() == 0 || clocks.afterCheckpoint(rank, index, of) < count
        ? Answer.NO
        : Answer.BETWEEN;
  }

  /** Walks back over the calls that learned something since the last kept clock. */
  private boolean search(int rank, int until, int of, int count) {
    LongIntMap visited = new LongIntMap();
    IntList moments = new IntList();
    IntList sources = new IntList();
    IntList scratch = new IntList();
    IntList ranks = new IntList();
    moments.add(until);
    ranks.add(rank);
    while (!moments.isEmpty()) {
      int end = moments.pop();
      int at = ranks.pop();
      int e = end;
      for (int left = clocks.learnedBefore(at, end) % clocks.stride(); left > 0; left--) {
        e = clocks.previousLearned(e);
        // A walk goes down to the kept clock, so whoever met this call met those before it.
        if (visited.get(e) != LongIntMap.ABSENT) {
          break;
        }
        visited.put(e, 1);
        sources(e, sources, scratch);
        for (int i = 0; i < sources.size(); i++) {
          int source = sources.get(i);
          int from = events.rank(source);
          if (from == of) {
            if (source - events.first(from) + 1 >= count) {
              return true;
            }
            continue;
          }
          switch (fromCheckpoints(from, source, of, count)) {
            case YES -> {
              return true;
            }
            case NO -> {}
            case BETWEEN -> {
              moments.add(source);
              ranks.add(from);
            }
          }
        }
      }
    }
    return false;
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
      Gathering.sources(events, collectives, began, into);
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
    int index = clocks.learnedBefore(rank, atReturn ? event + 1 : event) / clocks.stride();
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
