package org.reprise.debugger;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.reprise.causality.Cut;
import org.reprise.debugger.hold.RankState;
import org.reprise.debugger.hold.ReplayTimeline;
import org.reprise.debugger.hold.Stop;
import org.reprise.debugger.source.SourceDebugger;
import org.reprise.debugger.source.SourceError;
import org.reprise.debugger.source.SourceFrame;

/**
 * Steps ranks by lines. A step that comes to an MPI call needs the others: those go on as far as
 * they must so that the call can return, and no further. Ranks that have made their own step by
 * then are no exception.
 */
final class Stepper {
  private static final long LOOK_MILLIS = 5;

  /** How long nobody may move before a rank that has stepped goes on for those that wait. */
  private static final long PATIENCE_NANOS = 100_000_000;

  /** How long nobody may move until those inside MPI are left there. */
  private static final long AT_REST_NANOS = 5_000_000_000L;

  private static final int AHEAD_MAX = 1 << 16;

  private final Debugger debugger;
  private final Inspector inspector;
  private final Map<Integer, Integer> ahead = new HashMap<>();

  /** Where those are to go that are taken along. */
  private final Map<Integer, Stop> taken = new HashMap<>();

  /** Where others need those that are stepped. */
  private final Map<Integer, Stop> needed = new HashMap<>();

  /** Of those that are stepped, who was taken along after its own step. */
  private final Set<Integer> passedOn = new TreeSet<>();

  Stepper(Debugger debugger, Inspector inspector) {
    this.debugger = debugger;
    this.inspector = inspector;
  }

  /** How a move ended. */
  enum Ended {
    /** All stand where it led them. */
    STANDS,
    /** The user did not want to wait any longer. */
    INTERRUPTED,
    /** Nobody moves any more, and some are still in their calls. */
    AT_REST,
    /** A rank came to a call that it was not to begin, and is held there. */
    AT_LIMIT;

    /** What the user is told of a move that did not lead where it was to. */
    String words() {
      return this == AT_REST
          ? "no further: who is still in a call waits for ranks that stand"
          : "interrupted";
    }
  }

  /**
   * Steps the chosen ranks.
   *
   * @param command {@code step}, {@code next}, {@code finish} or {@code until [PLACE]}
   * @param moments get to know of it
   */
  Answer step(String command, Moments moments) {
    debugger.requireStarted();
    debugger.interrupted().set(false);
    ReplayTimeline timeline = debugger.timeline();
    Set<Integer> stepping = new TreeSet<>(debugger.focus().ranks());
    stepping.removeIf(rank -> timeline.process(rank).isEmpty());
    if (stepping.isEmpty()) {
      return Answer.of("the ranks have ended");
    }
    Map<Integer, Long> before = new HashMap<>();
    stepping.forEach(rank -> before.put(rank, timeline.state(rank).calls()));
    Ended ended = move(stepping, command, Long.MAX_VALUE);
    if (ended != Ended.STANDS) {
      moments.clear();
      return stop(stepping, ended);
    }
    moments.stepped(stepping, before, command);
    return lines(stepping);
  }

  /**
   * Lets ranks make one move, out of the calls that they are held in first.
   *
   * @param callsMax who has returned from so many calls does not begin the next one
   */
  Ended move(Set<Integer> stepping, String command, long callsMax) {
    begin(stepping);
    try {
      boolean leaves = !command.equals("continue");
      if (leaves) {
        stepping.forEach(this::leaveCall);
      }
      Ended ended = leaves ? await(stepping, callsMax) : Ended.STANDS;
      if (ended == Ended.INTERRUPTED || ended == Ended.AT_LIMIT) {
        return ended;
      }
      // Who is still in the call that it was to leave makes no step.
      Set<Integer> left = new TreeSet<>(stepping);
      left.removeIf(rank -> passedOn.contains(rank) || leaves && !stands(rank));
      for (int rank : left) {
        inspector.source(rank).move(command);
      }
      Ended then = await(left, callsMax);
      return then == Ended.STANDS ? ended : then;
    } finally {
      debugger.sources().step(Set.of());
      inspector.forget();
    }
  }

  /** Lets a rank leave the call that it is held in, to the line that made it. */
  boolean leave(int rank) {
    Set<Integer> one = Set.of(rank);
    begin(one);
    try {
      leaveCall(rank);
      return await(one, Long.MAX_VALUE) == Ended.STANDS;
    } finally {
      debugger.sources().step(Set.of());
    }
  }

  private void begin(Set<Integer> stepping) {
    debugger.timeline().thaw();
    debugger.sources().step(stepping);
    ahead.clear();
    taken.clear();
    needed.clear();
    passedOn.clear();
  }

  /** A rank that is held on entry of a call goes through it first, to the line that made it. */
  private void leaveCall(int rank) {
    inspector.source(rank).leaveCall();
  }

  /** Until all stand again; whoever is held in a call on the way is helped through it. */
  private Ended await(Set<Integer> stepping, long callsMax) {
    ReplayTimeline timeline = debugger.timeline();
    List<RankState> seen = List.of();
    long movedAt = System.nanoTime();
    while (true) {
      boolean all = true;
      for (int rank : stepping) {
        boolean stands = passedOn.contains(rank) || stands(rank);
        all &= stands;
        RankState state = timeline.state(rank);
        if (!stands && state.kind() == RankState.Kind.HELD) {
          if (state.calls() >= callsMax) {
            return Ended.AT_LIMIT;
          }
          helpThrough(rank, stepping, callsMax);
        } else if (!stands && state.kind() == RankState.Kind.INSIDE && state.calls() == 0) {
          // Nobody returns from MPI_Init alone.
          for (int other = 0; other < debugger.ranks(); other++) {
            take(other, stepping, Stop.FIRST);
          }
        }
      }
      taken.forEach(this::passBreakpoint);
      if (all) {
        return Ended.STANDS;
      }
      if (debugger.interrupted().getAndSet(false)) {
        return Ended.INTERRUPTED;
      }
      List<RankState> now = IntStream.range(0, debugger.ranks()).mapToObj(timeline::state).toList();
      long rested = System.nanoTime() - movedAt;
      if (!now.equals(seen) || isComputing(now) || rested > PATIENCE_NANOS && passOn()) {
        seen = now;
        movedAt = System.nanoTime();
      } else if (rested > AT_REST_NANOS) {
        return Ended.AT_REST;
      }
      sleep();
    }
  }

  private boolean stands(int rank) {
    return debugger.sources().of(rank).map(SourceDebugger::isStopped).orElse(true)
        || debugger.timeline().process(rank).isEmpty();
  }

  private boolean isComputing(List<RankState> states) {
    return IntStream.range(0, states.size())
        .anyMatch(
            rank ->
                (states.get(rank).kind() == RankState.Kind.RUNNING
                        || states.get(rank).kind() == RankState.Kind.STARTING)
                    && !debugger.sources().of(rank).map(SourceDebugger::isStopped).orElse(false));
  }

  /** Takes those along that have made their steps, if others need them; whether there were any. */
  private boolean passOn() {
    boolean any = false;
    for (Map.Entry<Integer, Stop> one : needed.entrySet()) {
      int rank = one.getKey();
      if (!passedOn.contains(rank)
          && stands(rank)
          && one.getValue().isBehind(debugger.timeline().state(rank))) {
        passedOn.add(rank);
        goAlong(rank, one.getValue());
        any = true;
      }
    }
    return any;
  }

  private void helpThrough(int rank, Set<Integer> stepping, long callsMax) {
    ReplayTimeline timeline = debugger.timeline();
    long calls = timeline.state(rank).calls();
    var index = debugger.run().calls(rank);
    if (calls == 0) {
      timeline.release(rank, Stop.FIRST);
      return;
    }
    if (calls >= index.calls()) {
      timeline.release(rank, Stop.NEVER);
      return;
    }
    int more = ahead.merge(rank, 1, (before, _) -> Math.min(2 * before, AHEAD_MAX));
    long until = Math.min(Math.min(calls + more, callsMax), index.calls());
    int[] moments = debugger.cut().moments();
    moments[rank] = 2 * (index.lastOfCall(index.eventAt(until - 1)) + 1);
    Cut wider = debugger.places().around(new Cut(moments));
    List<Stop> stops = debugger.stops(wider);
    for (int other = 0; other < stops.size(); other++) {
      if (other != rank) {
        take(other, stepping, stops.get(other));
      }
    }
    timeline.release(rank, new Stop(until, false));
  }

  /** Lets another rank go on as far as it must. */
  private void take(int other, Set<Integer> stepping, Stop stop) {
    ReplayTimeline timeline = debugger.timeline();
    if (stepping.contains(other) && !passedOn.contains(other)) {
      needed.put(other, stop);
      timeline.release(other, stop);
    } else if (stop.isBehind(timeline.state(other)) && !stop.equals(taken.get(other))) {
      goAlong(other, stop);
    }
  }

  private void goAlong(int other, Stop stop) {
    taken.put(other, stop);
    debugger.timeline().release(other, stop);
    debugger.sources().of(other).ifPresent(SourceDebugger::resume);
  }

  /** Who is taken along does not stop at breakpoints: the step would not end. */
  private void passBreakpoint(int other, Stop stop) {
    RankState state = debugger.timeline().state(other);
    boolean onTheWay = debugger.timeline().process(other).isPresent() && stop.isBehind(state);
    if (onTheWay && debugger.sources().met(other).isPresent()) {
      debugger.sources().of(other).ifPresent(SourceDebugger::resume);
    }
  }

  private Answer stop(Set<Integer> stepping, Ended ended) {
    for (int rank : stepping) {
      try {
        debugger.sources().of(rank).ifPresent(SourceDebugger::halt);
      } catch (SourceError e) {
        // It ends.
      }
    }
    return Answer.of(ended.words()).add(lines(stepping));
  }

  private Answer lines(Set<Integer> stepping) {
    return debugger.collapsed(
        debugger
            .sources()
            .each(
                stepping,
                rank -> {
                  if (debugger.timeline().process(rank).isEmpty()) {
                    return "ended";
                  }
                  SourceDebugger source = inspector.source(rank);
                  return source.frames().stream()
                          .limit(1)
                          .map(SourceFrame::text)
                          .collect(Collectors.joining())
                      + debugger
                          .sources()
                          .reason(rank)
                          .map(reason -> " (" + reason + ")")
                          .orElse("")
                      + (passedOn.contains(rank) ? " (went on, since others needed it)" : "");
                }));
  }

  private static void sleep() {
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
