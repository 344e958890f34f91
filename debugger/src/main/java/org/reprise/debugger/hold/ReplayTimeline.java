package org.reprise.debugger.hold;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reprise.launch.mpi.HeldReplay;
import org.reprise.launch.process.Signalled;

/**
 * A recorded run that can be brought to any of its cuts: ranks go forward on their own, and back by
 * beginning again, at the start, with a new replay, or at a place that was kept.
 */
public final class ReplayTimeline implements AutoCloseable {
  /** Why a journey ended. */
  public enum Arrival {
    /** Every rank is where it was sent. */
    REACHED,
    /** A rank met a breakpoint, or a signal; the others stand where they were then. */
    BROKEN_OFF,
    /** A rank waits in a call for others that are held. */
    STUCK,
    /** The user did not want to wait any longer. */
    INTERRUPTED,
    /** A rank ended before it got there. */
    ENDED
  }

  /** How long nobody may move, all being inside MPI, until that is taken for a deadlock. */
  private static final long STUCK_NANOS = 4_000_000_000L;

  /**
   * How long a rank that is to be interrupted may be inside a call until it is taken to wait there.
   */
  private static final long SETTLED_NANOS = 300_000_000L;

  private static final long LOOK_MILLIS = 10;

  /** What may stop a rank besides its hold: a source-level debugger. */
  public interface Halts {
    /** Before the first rank moves. */
    void begin(HeldJob job, boolean isNew);

    /** Whether a rank stands at a breakpoint. */
    boolean isHalted(int rank);

    /** Whether a debugger is attached to a rank. */
    boolean isAttached(int rank);

    /** The job is no more. */
    void end();
  }

  private final Beginnings beginnings;
  private final int ranks;
  private final Bell bell;
  private final Halts halts;
  private final AtomicBoolean interrupted;
  private @Nullable HeldJob job;
  private boolean spoiled;
  private final List<Long> stopped = new ArrayList<>();

  /**
   * A timeline whose ranks have not been started.
   *
   * @param interrupted set when the user does not want to wait any longer
   */
  public ReplayTimeline(
      Beginnings beginnings, int ranks, Bell bell, Halts halts, AtomicBoolean interrupted) {
    this.beginnings = beginnings;
    this.ranks = ranks;
    this.bell = bell;
    this.halts = halts;
    this.interrupted = interrupted;
  }

  /** Whether there are ranks at all, living or dead. */
  public boolean isStarted() {
    return job != null;
  }

  /** The replay under way, or over. */
  public Optional<HeldReplay> replay() {
    return Optional.ofNullable(job).flatMap(running -> running.processes().replay());
  }

  /** The exit status of ranks that have ended, and were no replay. */
  public OptionalInt exitStatus() {
    HeldJob running = job;
    return running == null ? OptionalInt.empty() : running.processes().exitStatus();
  }

  /** Something in a rank was changed: nothing that it does from here on is a replay. */
  public void spoil() {
    spoiled = true;
  }

  public boolean isSpoiled() {
    return spoiled;
  }

  /** Whether the ranks must begin at the start to get to these stops. */
  public boolean mustRestart(List<Stop> stops) {
    HeldJob running = job;
    return running == null || spoiled || isBehind(running, stops) || !beginnings.lasts(stops);
  }

  /** Whether a rank has passed its stop, or is no more. */
  public boolean isBehind(List<Stop> stops) {
    HeldJob running = job;
    return running != null && isBehind(running, stops);
  }

  private boolean isBehind(HeldJob running, List<Stop> stops) {
    if (!running.isAlive()) {
      return true;
    }
    for (int rank = 0; rank < ranks; rank++) {
      RankState state = running.state(rank);
      boolean dead = state.kind() == RankState.Kind.ENDED && !stops.get(rank).equals(Stop.NEVER);
      if (dead || !stops.get(rank).isAheadOf(state)) {
        return true;
      }
    }
    return false;
  }

  /** Where the ranks would begin that went to these stops now: where they are, if they can. */
  public List<Stop> origins(List<Stop> stops) {
    HeldJob running = job;
    return running == null || beginsAgain(running, stops, false)
        ? beginnings.places(stops, stops)
        : here(running);
  }

  private boolean beginsAgain(HeldJob running, List<Stop> stops, boolean oneSuffices) {
    if (oneSuffices && spoiled) {
      return isBehind(running, stops); // what was changed goes on as it is
    }
    return mustRestart(stops) || !oneSuffices && beginnings.isBetterThan(states(running), stops);
  }

  private List<Stop> here(HeldJob running) {
    return states(running).stream()
        .map(state -> new Stop(state.calls(), state.kind() == RankState.Kind.INSIDE))
        .toList();
  }

  /** Brings every rank to its stop. */
  public Arrival goTo(List<Stop> stops) {
    return move(stops, false);
  }

  /** Lets all ranks run until one of them is at its stop; the others stand where they were then. */
  public Arrival runUntil(List<Stop> stops) {
    return move(stops, true);
  }

  private Arrival move(List<Stop> stops, boolean oneSuffices) {
    Arrival arrival = moveOnce(stops, oneSuffices);
    if (beginnings.hasFailed()) {
      close();
      arrival = moveOnce(stops, oneSuffices);
    }
    return arrival;
  }

  private Arrival moveOnce(List<Stop> stops, boolean oneSuffices) {
    HeldJob moving = job;
    if (moving != null && !beginsAgain(moving, stops, oneSuffices)) {
      thaw();
      halts.begin(moving, false);
      return travel(moving, stops, true, oneSuffices);
    }
    List<Stop> places;
    List<Stop> again = List.of();
    if (oneSuffices && moving != null && !spoiled && !isBehind(moving, stops)) {
      // Who runs on from here and cannot is brought here again first.
      again = here(moving);
      places = beginnings.places(again, stops);
    } else {
      places =
          beginnings.places(oneSuffices ? Collections.nCopies(ranks, Stop.FIRST) : stops, stops);
    }
    HeldJob begun = restart(places);
    Arrival arrival = travel(begun, places, false, false);
    if (arrival == Arrival.REACHED && !again.isEmpty()) {
      arrival = travel(begun, again, false, false);
    }
    if (arrival != Arrival.REACHED) {
      return arrival;
    }
    halts.begin(begun, true);
    return travel(begun, stops, true, oneSuffices);
  }

  private HeldJob restart(List<Stop> places) {
    close();
    spoiled = false;
    HeldJob begun = beginnings.begin(places, bell);
    job = begun;
    return begun;
  }

  private Arrival travel(HeldJob moving, List<Stop> stops, boolean settles, boolean oneSuffices) {
    moving.deliver(true);
    for (int rank = 0; rank < ranks; rank++) {
      moving.send(rank, stops.get(rank));
    }
    Arrival arrival = await(moving, stops, oneSuffices);
    if (arrival == Arrival.BROKEN_OFF || arrival == Arrival.INTERRUPTED) {
      settle(moving);
    }
    if (settles) {
      freeze(moving);
    }
    return arrival;
  }

  private Arrival await(HeldJob moving, List<Stop> stops, boolean oneSuffices) {
    long movedAt = System.nanoTime();
    List<RankState> before = List.of();
    while (true) {
      long rung = bell.rung();
      List<RankState> states = states(moving);
      if (!states.equals(before)) {
        movedAt = System.nanoTime();
        before = states;
      }
      boolean all = true;
      boolean allInside = true;
      boolean halted = false;
      for (int rank = 0; rank < ranks; rank++) {
        halted |= halts.isHalted(rank);
        boolean reached = stops.get(rank).isReachedBy(states.get(rank));
        halted |= oneSuffices && reached && states.get(rank).isHeld();
        all &= reached;
        allInside &= reached || states.get(rank).kind() == RankState.Kind.INSIDE;
      }
      if (halted) {
        return Arrival.BROKEN_OFF;
      }
      if (all) {
        return endedEarly(states, stops) ? Arrival.ENDED : Arrival.REACHED;
      }
      if (interrupted.getAndSet(false)) {
        return Arrival.INTERRUPTED;
      }
      if (allInside && System.nanoTime() - movedAt > STUCK_NANOS) {
        return Arrival.STUCK;
      }
      sleep(rung);
    }
  }

  private static boolean endedEarly(List<RankState> states, List<Stop> stops) {
    for (int rank = 0; rank < states.size(); rank++) {
      Stop stop = stops.get(rank);
      RankState state = states.get(rank);
      if (state.kind() == RankState.Kind.ENDED
          && !stop.equals(Stop.NEVER)
          && state.calls() < stop.calls()) {
        return true;
      }
    }
    return false;
  }

  /** Holds everybody at the next call, and waits until nobody moves any more. */
  private void settle(HeldJob moving) {
    for (int rank = 0; rank < ranks; rank++) {
      moving.holdNow(rank);
    }
    long movedAt = System.nanoTime();
    List<RankState> before = List.of();
    while (!interrupted.getAndSet(false)) {
      long rung = bell.rung();
      List<RankState> states = states(moving);
      if (!states.equals(before)) {
        movedAt = System.nanoTime();
        before = states;
      }
      boolean quiet = System.nanoTime() - movedAt > SETTLED_NANOS;
      boolean all = true;
      for (int rank = 0; rank < ranks; rank++) {
        RankState.Kind kind = states.get(rank).kind();
        boolean stands =
            kind == RankState.Kind.HELD
                || kind == RankState.Kind.ENDED
                || kind == RankState.Kind.ABSENT;
        all &= stands || halts.isHalted(rank) || quiet && kind == RankState.Kind.INSIDE;
      }
      if (all) {
        return;
      }
      sleep(rung);
    }
  }

  private List<RankState> states(HeldJob moving) {
    List<RankState> states = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      states.add(moving.state(rank));
    }
    return states;
  }

  private void sleep(long rung) {
    try {
      bell.await(rung, LOOK_MILLIS);
    } catch (InterruptedException e) {
      interrupted.set(true);
    }
  }

  /**
   * Lets one rank go on to a stop, and does not wait for it; one that is there or further stays.
   */
  public void release(int rank, Stop stop) {
    HeldJob running = job;
    if (running != null && stop.isAheadOf(running.state(rank))) {
      running.deliver(true);
      running.send(rank, stop);
    }
  }

  /** A rank inside a call polls: it is stopped, not to burn a core while the user thinks. */
  private void freeze(HeldJob moving) {
    moving.deliver(false);
    for (int rank = 0; rank < ranks; rank++) {
      if (moving.state(rank).kind() == RankState.Kind.INSIDE && !halts.isAttached(rank)) {
        moving.process(rank).ifPresent(stopped::add);
      }
    }
    Signalled.send("STOP", stopped);
  }

  /** Undoes {@link #freeze}, before ranks move or a debugger is attached. */
  public void thaw() {
    Signalled.send("CONT", stopped);
    stopped.clear();
  }

  /** Where a rank is. */
  public RankState state(int rank) {
    HeldJob running = job;
    return running == null ? new RankState(RankState.Kind.STARTING, 0) : running.state(rank);
  }

  /** The process of a rank, if there is one. */
  public Optional<Long> process(int rank) {
    return Optional.ofNullable(job).flatMap(running -> running.process(rank));
  }

  @Override
  public void close() {
    HeldJob running = job;
    if (running != null) {
      stopped.clear();
      running.processes().hush();
      halts.end();
      running.close();
      job = null;
    }
  }
}
