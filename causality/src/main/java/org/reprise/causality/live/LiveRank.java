package org.reprise.causality.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.reprise.causality.columns.IntList;

/** How far one rank was read, how far it was passed, and what it knows there. */
final class LiveRank {
  final int number;

  /** Events that were read and not passed. */
  final ArrayDeque<Call> calls = new ArrayDeque<>();

  /** Posts without an end, by their number. */
  final Map<Integer, Call> open = new HashMap<>();

  /** How many calls were begun in the pass. */
  int begun;

  /** Whether the pass is in the first of the calls. */
  boolean inside;

  /** Whether it is among those that the pass goes on with. */
  boolean ready;

  /** Ranks that go on when this one has. */
  private final IntList waiters = new IntList();

  private int waitsFor = -1;

  /** Wildcard receives and probes that were passed and not looked at. */
  final List<Receive> toScan = new ArrayList<>();

  /** How many wildcard receives and probes were read and not looked at. */
  int unscanned;

  /** Receives that were passed and still know those before them. */
  final ArrayDeque<Receive> chained = new ArrayDeque<>();

  /** Receives that were cancelled and may bear on others. */
  final ArrayDeque<Receive> cancelled = new ArrayDeque<>();

  private int[] clock;
  private boolean lent;

  LiveRank(int number, int ranks) {
    this.number = number;
    clock = new int[ranks];
  }

  /** Goes on when another rank has. */
  void await(LiveRank other) {
    if (waitsFor != other.number && this != other) {
      waitsFor = other.number;
      other.waiters.add(number);
    }
  }

  /** Those that waited for this rank, which has gone on. */
  void release(LiveRank[] ranks, IntConsumer wake) {
    for (int i = 0; i < waiters.size(); i++) {
      LiveRank waiter = ranks[waiters.get(i)];
      waiter.waitsFor = waiter.waitsFor == number ? -1 : waiter.waitsFor;
      wake.accept(waiter.number);
    }
    waiters.clear();
  }

  /** How many calls of each rank had begun, as this one knows; never changes. */
  int[] lend() {
    lent = true;
    return clock;
  }

  int known(int of) {
    return clock[of];
  }

  /**
   * A hot path: one pass over the ranks for every message; guarded by {@code bench/live}.
   *
   * @param rank whose knowledge is taken over, which had begun so many calls
   */
  void learn(int[] theirs, int rank, int begunThere) {
    if (lent) {
      clock = clock.clone();
      lent = false;
    }
    int[] mine = clock;
    for (int i = 0; i < mine.length; i++) {
      mine[i] = Math.max(mine[i], theirs[i]);
    }
    mine[rank] = Math.max(mine[rank], begunThere);
  }
}
