package org.reprise.ranks.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Waiter;
import org.reprise.ranks.fabric.CurrentRank;

/**
 * All threads of a job that may call, and in which order those count that can run: first come,
 * first counted, and those that come at the same time by rank and thread.
 */
final class Seats {
  private static final Comparator<Seat> BY_THREAD = Comparator.comparingInt(seat -> seat.thread);

  private final JobRank[] ranks;

  /** Of the ranks' first threads. */
  private final Seat[] firsts;

  /** Of all other threads that have called, by their waiters. */
  private final Map<Waiter, Seat> others = new ConcurrentHashMap<>();

  /** Those that can run and are the only threads of their ranks. */
  private Seat[] runnable;

  private int runnableCount;

  /** Those that can run and belong to ranks with several threads. */
  private final List<Seat> steppers = new ArrayList<>();

  /** Threads that want to take a step, in no order. */
  private final Queue<Seat> arrivals = new ConcurrentLinkedQueue<>();

  Seats(JobRank[] ranks) {
    this.ranks = ranks;
    this.firsts = new Seat[ranks.length];
    this.runnable = new Seat[ranks.length];
    for (JobRank rank : ranks) {
      firsts[rank.number] = new Seat(rank, 0, rank.main);
      canRun(firsts[rank.number]);
    }
  }

  /** That of a rank's first thread. */
  Seat first(int rank) {
    return firsts[rank];
  }

  /** That of the calling thread, which is one of the rank's. */
  Seat ofCaller(JobRank rank) {
    Waiter waiter = rank.waiter();
    return waiter == rank.main
        ? firsts[rank.number]
        : others.computeIfAbsent(waiter, _ -> new Seat(rank, CurrentRank.thread(), waiter));
  }

  /** Of all threads of a rank that have called, in the order of their numbers. */
  Stream<Seat> of(JobRank rank) {
    Stream<Seat> first = Stream.of(firsts[rank.number]);
    return !rank.hasThreads || others.isEmpty()
        ? first
        : Stream.concat(
            first, others.values().stream().filter(seat -> seat.rank == rank).sorted(BY_THREAD));
  }

  /** As {@link #of}. Hot: nearly every rank has one thread. */
  void forEach(JobRank rank, Consumer<Seat> action) {
    if (rank.hasThreads) {
      of(rank).forEach(action);
    } else {
      action.accept(firsts[rank.number]);
    }
  }

  /** Of all threads of all ranks that have called. */
  Stream<Seat> ofAll() {
    return others.isEmpty() ? Arrays.stream(firsts) : Arrays.stream(ranks).flatMap(this::of);
  }

  /** How many can run. */
  int runnable() {
    return runnableCount + steppers.size();
  }

  /** How many can run that are the only threads of their ranks. */
  int runnableAlone() {
    return runnableCount;
  }

  /** Those that can run and belong to ranks with several threads, in the order of their coming. */
  List<Seat> steppers() {
    return steppers;
  }

  /** From now on this one can run; it counts as the last. */
  void canRun(Seat seat) {
    if (!seat.canRun) {
      seat.canRun = true;
      if (seat.rank.isShared()) {
        steppers.add(seat);
        return;
      }
      if (runnableCount == runnable.length) {
        runnable = Arrays.copyOf(runnable, 2 * runnableCount);
      }
      runnable[runnableCount++] = seat;
    }
  }

  /** Takes this one, of a rank with several threads, out of those that can run. */
  Seat takeStep(Seat seat) {
    steppers.remove(seat);
    seat.steps++;
    return seat;
  }

  /** Takes one out of those that can run and are alone. The order of the others stays. */
  Seat take(int place) {
    Seat seat = runnable[place];
    System.arraycopy(runnable, place + 1, runnable, place, --runnableCount - place);
    return seat;
  }

  /** That of the thread whose call, or step, this is. */
  Seat of(PossibleEvent event) {
    JobRank rank = ranks[event.rank()];
    return event.thread() == 0
        ? firsts[rank.number]
        : of(rank).filter(each -> each.thread == event.thread()).findFirst().orElseThrow();
  }

  /** What those may do that can run and belong to ranks with several threads. */
  List<PossibleEvent> steps() {
    List<PossibleEvent> steps = new ArrayList<>();
    for (Seat seat : steppers) {
      steps.add(PossibleEvent.step(seat.rank, seat.thread, seat.steps));
    }
    return steps;
  }

  /**
   * One whose step nothing at its rank can come before, as of the only thread of a rank: the others
   * have ended, or wait in the program's own code and go on when this one lets them.
   */
  @Nullable Seat aloneInItsRank() {
    for (Seat seat : steppers) {
      if (of(seat.rank).allMatch(other -> other == seat || isOutside(other))) {
        return seat;
      }
    }
    return null;
  }

  /** Whether it is neither about to take a step nor in a call. */
  private boolean isOutside(Seat seat) {
    return !steppers.contains(seat) && seat.waiter.wait == null;
  }

  /** A thread wants to take a step. Called by any thread. */
  void arrived(Seat seat) {
    arrivals.add(seat);
  }

  /** Whether somebody wants to go on. */
  boolean isWanted() {
    return runnable() > 0 || !arrivals.isEmpty();
  }

  /** Those who have arrived can run: in an order that says nothing of how they came. */
  void seatArrivals() {
    List<Seat> came = new ArrayList<>();
    for (Seat seat = arrivals.poll(); seat != null; seat = arrivals.poll()) {
      came.add(seat);
    }
    came.sort(Comparator.<Seat>comparingInt(seat -> seat.rank.number).thenComparing(BY_THREAD));
    for (Seat seat : came) {
      seat.canRun = false;
      canRun(seat);
    }
  }
}
