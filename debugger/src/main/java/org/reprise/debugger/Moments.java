package org.reprise.debugger;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.causality.Cut;
import org.reprise.debugger.hold.CallIndex;
import org.reprise.debugger.hold.RankState;
import org.reprise.debugger.source.LineBreakpoint;
import org.reprise.debugger.source.SourceDebugger;
import org.reprise.debugger.source.SourceError;
import org.reprise.trace.UserError;

/**
 * Moments between two events: by which way ranks got to where they stand, how to get there again,
 * and where the line before is.
 */
final class Moments {
  /** So many lines are looked at on the way to the line before. */
  private static final int LINES_MAX = 5000;

  private final Debugger debugger;
  private final Inspector inspector;
  private final Stepper stepper;
  private final Map<Integer, Trail> trails = new HashMap<>();

  Moments(Debugger debugger, Inspector inspector, Stepper stepper) {
    this.debugger = debugger;
    this.inspector = inspector;
    this.stepper = stepper;
  }

  /** The way of a rank to where it stands; empty if it is held at a call. */
  Optional<Trail> of(int rank) {
    return Optional.ofNullable(trails.get(rank));
  }

  /** All ranks have moved by events: who was stopped by a breakpoint stands in a line. */
  void arrived() {
    for (int rank = 0; rank < debugger.ranks(); rank++) {
      Trail before = trails.remove(rank);
      RankState state = debugger.timeline().state(rank);
      Optional<LineBreakpoint> met =
          state.kind() == RankState.Kind.RUNNING ? debugger.sources().met(rank) : Optional.empty();
      if (met.isPresent()) {
        // Whatever it met stopped it, so between its last call and here it met nothing else.
        long from = Math.max(0, state.calls() - 1);
        Trail way = before != null && before.calls() == from ? before : Trail.from(from);
        trails.put(rank, way.with(new Trail.Halt(met.get().place(), met.get().condition())));
      }
    }
  }

  /** Ranks have made a step; others that had to go on stand at calls. */
  void stepped(Set<Integer> ranks, Map<Integer, Long> callsBefore, String command) {
    for (int rank : ranks) {
      Trail way = trails.get(rank);
      if (way == null) {
        way = Trail.from(callsBefore.getOrDefault(rank, 0L));
      }
      trails.put(rank, way.with(new Trail.Step(command)));
    }
    trails
        .keySet()
        .removeIf(
            rank ->
                debugger.timeline().process(rank).isEmpty()
                    || !ranks.contains(rank)
                        && debugger.timeline().state(rank).kind() != RankState.Kind.RUNNING);
  }

  /** Brings a rank to a moment, and the others to what had to happen before its last event. */
  Answer findAgain(int rank, Trail trail) {
    Answer there = begin(rank, trail);
    // Breakpoints on the way to where it begins are none of its own.
    while ("broken_off".equals(there.values().get("arrival"))) {
      there = begin(rank, trail);
    }
    if (there.failed()) {
      return there;
    }
    trails.clear();
    boolean found = true;
    for (Trail.Move move : trail.moves()) {
      found &= found && make(rank, move);
    }
    if (!trail.moves().isEmpty()) {
      trails.put(rank, trail);
    }
    inspector.forget();
    return found
        ? debugger.where()
        : Answer.of("the way to that moment is another one now").fail().add(debugger.where());
  }

  /** Brings a rank to where a way begins: held on entry of a call, or before its first line. */
  private Answer begin(int rank, Trail trail) {
    if (trail.calls() > 0) {
      CallIndex index = debugger.run().calls(rank);
      return debugger.goTo(
          debugger.places().event(rank, index.eventAt(trail.calls()), Places.Others.CAUSAL));
    }
    if (!(trail.moves().getFirst() instanceof Trail.Halt)) {
      throw new UserError(
          "a way from the start of a rank begins with a place",
          "'" + trail.text() + "', and no line has been executed there",
          "goto %d:0 then break main; next".formatted(rank));
    }
    return debugger.goToBeginning();
  }

  /** Makes a part of a way; false if it did not end where it should. */
  boolean make(int rank, Trail.Move move) {
    debugger.timeline().thaw();
    Set<Integer> one = Set.of(rank);
    return switch (move) {
      case Trail.Leave() -> stepper.leave(rank);
      case Trail.Step(String command) ->
          stepper.move(one, command, Long.MAX_VALUE) == Stepper.Ended.STANDS;
      case Trail.Halt(String place, Optional<String> condition) -> {
        SourceDebugger source = inspector.source(rank);
        String number = source.insertOnce(place, condition);
        boolean goesOn = true;
        while (goesOn && source.hasBreakpoint(number)) {
          goesOn = stepper.move(one, "continue", Long.MAX_VALUE) == Stepper.Ended.STANDS;
        }
        yield goesOn;
      }
      case Trail.Change change -> {
        SourceDebugger source = inspector.source(rank);
        String number = source.watch(change.expression(), level(source, change).orElse(0));
        int left = change.times();
        boolean goesOn = true;
        while (goesOn && left > 0) {
          goesOn = stepper.move(one, "continue", Long.MAX_VALUE) == Stepper.Ended.STANDS;
          left -= goesOn && source.changed(number).isPresent() ? 1 : 0;
        }
        source.removeBreakpoint(number);
        yield goesOn;
      }
    };
  }

  /** The level of the frame that a value is read in; empty if the rank is not in that function. */
  static OptionalInt level(SourceDebugger source, Trail.Change change) {
    return source.level(change.expression(), change.function(), change.depth());
  }

  /** One step back, or to the last line that was executed before this moment. */
  Answer lineBefore(int rank) {
    Trail here = trails.get(rank);
    if (here != null && here.last().filter(Trail.Step.class::isInstance).isPresent()) {
      Trail way = here.withoutLast();
      return way.moves().isEmpty() && way.calls() > 0
          ? findAgain(rank, way.with(new Trail.Leave()))
          : findAgain(rank, way);
    }
    RankState state = debugger.timeline().state(rank);
    if (state.calls() <= 1) {
      throw new UserError(
          "there is no line before",
          "rank " + rank + " has not begun a call behind MPI_Init",
          "goto %d:0 then break LINE, with an earlier line; step goes on".formatted(rank));
    }
    if (here != null && here.last().filter(Trail.Leave.class::isInstance).isPresent()) {
      return findAgain(rank, here.withoutLast());
    }
    Trail base = here == null ? Trail.from(state.calls() - 1) : here.withoutLast();
    Answer there = findAgain(rank, base);
    if (there.failed()) {
      return there;
    }
    int lines = linesUntil(rank, state.calls(), here == null ? Optional.empty() : here.last());
    return findAgain(
        rank, lines == 0 ? base.with(new Trail.Leave()) : base.with(new Trail.Step("step"), lines));
  }

  /** How many steps lead to the last line before a call begins, or before a place is met. */
  private int linesUntil(int rank, long calls, Optional<Trail.Move> end) {
    SourceDebugger source = inspector.source(rank);
    Optional<String> number =
        end.filter(Trail.Halt.class::isInstance)
            .map(Trail.Halt.class::cast)
            .map(halt -> source.insertOnce(halt.place(), halt.condition()));
    for (int lines = 0; lines < LINES_MAX; lines++) {
      Stepper.Ended ended = stepper.move(Set.of(rank), "step", calls);
      boolean met = number.isPresent() && !source.hasBreakpoint(number.get());
      if (ended != Stepper.Ended.STANDS || met) {
        return lines;
      }
    }
    throw new UserError(
        "the line before is too many lines from the last event",
        LINES_MAX + " lines were executed between them",
        "goto RANK:EVENT then break FILE:LINE, or back for the event before");
  }

  /** A breakpoint of the source that a rank met, and the way there. */
  record Met(int rank, int number, Trail trail) {}

  /**
   * The breakpoint of the source that the chosen ranks met last before they came here. All that lie
   * on the way are met again to find out.
   *
   * @param from where to begin: there is nothing before it that counts
   */
  Optional<Met> lastMet(Cut here, Optional<Cut> from) {
    if (debugger.sources().breakpoints().isEmpty()) {
      return Optional.empty();
    }
    Map<Integer, Trail> now = Map.copyOf(trails);
    if (from.isPresent() || debugger.isAlone()) {
      debugger.goTo(from.orElseGet(() -> new Cut(new int[debugger.ranks()])));
    } else {
      debugger.goToBeginning();
    }
    trails.clear();
    Optional<Met> last = Optional.empty();
    while ("broken_off".equals(debugger.goTo(here).values().get("arrival"))) {
      arrived();
      for (int rank : debugger.focus().ranks()) {
        Trail way = trails.get(rank);
        Optional<LineBreakpoint> met = debugger.sources().met(rank);
        if (way != null && met.isPresent() && !isFrom(now.get(rank), way)) {
          last = Optional.of(new Met(rank, met.get().number(), way));
        }
      }
    }
    return last;
  }

  /** Whether a moment is that of another, or behind it in the same stretch between two calls. */
  private static boolean isFrom(@Nullable Trail now, Trail way) {
    return now != null && now.calls() == way.calls() && way.moves().size() >= now.moves().size();
  }

  /** A line for each rank that is between two events, to be typed. */
  Answer texts() {
    Answer answer = new Answer();
    trails.forEach((rank, trail) -> answer.line(typed(rank, trail)));
    return answer;
  }

  String typed(int rank, Trail trail) {
    int event = debugger.run().calls(rank).eventAt(trail.calls());
    return "goto %d:%d then %s".formatted(rank, event, trail.text());
  }

  void clear() {
    trails.clear();
  }

  /** The value of an expression there; empty if it has none. */
  Optional<String> value(int rank, Trail.Change change) {
    SourceDebugger source = inspector.source(rank);
    OptionalInt level = level(source, change);
    try {
      return level.isPresent()
          ? Optional.of(source.evaluate(change.expression(), level.getAsInt()))
          : Optional.empty();
    } catch (SourceError e) {
      return Optional.empty();
    }
  }
}
