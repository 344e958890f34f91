package org.reprise.debugger;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.debugger.hold.RankState;
import org.reprise.debugger.source.SourceDebugger;
import org.reprise.debugger.source.SourceFrame;
import org.reprise.trace.UserError;

/**
 * Which line changed a value last. Steps back, eight times as far each time, until the value is
 * another one; from there a watchpoint sees every change, and the last of them is the answer. What
 * the kernel writes no watchpoint sees: such a change is found by halving the calls.
 */
final class LastChange {
  private static final int FURTHER = 8;

  private final Debugger debugger;
  private final Inspector inspector;
  private final Stepper stepper;
  private final Moments moments;

  LastChange(Debugger debugger, Inspector inspector, Stepper stepper, Moments moments) {
    this.debugger = debugger;
    this.inspector = inspector;
    this.stepper = stepper;
    this.moments = moments;
  }

  /** One change that was seen. */
  private record Seen(String place, String before, String after) {}

  /** One that the user's own step has made. */
  private record Step(Seen seen, Trail until) {}

  /** Looks for the change, and brings the rank to right behind it. */
  Answer of(int rank, String expression) {
    RankState here = debugger.timeline().state(rank);
    Trail way = moments.of(rank).orElseGet(() -> Trail.from(here.calls()));
    if (way.calls() == 0) {
      throw new UserError(
          "nothing can be watched before the first call behind MPI_Init",
          "rank " + rank + " has not begun it",
          "goto %d:2, and watch from there; or next, and print".formatted(rank));
    }
    SourceDebugger source = inspector.source(rank);
    List<SourceFrame> frames = source.frames();
    SourceFrame chosen = inspector.frame(source, rank);
    // What is the same thing in the outermost frame outlives the function that is being executed.
    SourceFrame outermost = frames.getLast();
    SourceFrame frame =
        source.isSame(expression, chosen.level(), outermost.level()) ? outermost : chosen;
    int depth = frames.size() - 1 - frames.indexOf(frame);
    Trail.Change asked = new Trail.Change(expression, frame.function(), depth, 0);
    String now = source.evaluate(expression, frame.level());
    // Steps from a call or from a breakpoint are made again one by one; every change before them is
    // seen.
    boolean byChange = way.moves().stream().anyMatch(Trail.Change.class::isInstance);
    boolean byHalt = !way.moves().isEmpty() && way.moves().getFirst() instanceof Trail.Halt;
    long limit = byChange || byHalt ? here.calls() : way.calls();
    long from = whereItDiffers(rank, limit, asked, now);
    if (moments.value(rank, asked).isEmpty()) {
      throw new UserError(
          expression + " is not there before " + frame.function() + " began",
          "it is a variable of that call of the function",
          "break " + frame.function() + ", and watch from there; or watch a variable that stays");
    }
    Seen last = null;
    int seen = 0;
    String number = inspector.source(rank).watch(expression, level(rank, asked));
    Optional<String> end = insertEnd(rank, way);
    String value = moments.value(rank, asked).orElse("");
    while (true) {
      Stepper.Ended ended = stepper.move(Set.of(rank), "continue", limit);
      SourceDebugger watching = debugger.sources().of(rank).orElse(source);
      if (ended == Stepper.Ended.INTERRUPTED || ended == Stepper.Ended.AT_REST) {
        return Answer.of(ended.words()).fail();
      }
      if (ended == Stepper.Ended.AT_LIMIT
          || end.isPresent() && !watching.hasBreakpoint(end.get())) {
        break;
      }
      Optional<SourceDebugger.Change> changed = watching.changed(number);
      if (changed.isPresent()) {
        seen++;
        String after = changed.get().value();
        last = new Seen(changed.get().place() + where(rank), value, after);
        value = after;
      } else if (!watching.hasBreakpoint(number)) {
        break;
      }
    }
    requireSame(rank, asked, number);
    inspector.source(rank).removeBreakpoint(number);
    Optional<Answer> step =
        byChange ? Optional.empty() : lastStep(rank, asked, way, byHalt ? 1 : 0, value);
    return step.isPresent() ? step.get() : answer(rank, asked, from, here, now, last, seen);
  }

  /** The last of the user's own steps in which the value changed. */
  private Optional<Answer> lastStep(
      int rank, Trail.Change asked, Trail way, int first, String valueBefore) {
    Optional<Step> found = Optional.empty();
    Trail until = Trail.from(way.calls());
    String value = valueBefore;
    for (int i = 0; i < way.moves().size(); i++) {
      Trail.Move move = way.moves().get(i);
      until = until.with(move);
      if (i < first) {
        continue;
      }
      String place =
          inspector.source(rank).frames().stream().findFirst().map(SourceFrame::text).orElse("?");
      if (!moments.make(rank, move)) {
        return Optional.empty();
      }
      String after = moments.value(rank, asked).orElse(value);
      if (!after.equals(value)) {
        found = Optional.of(new Step(new Seen(place + where(rank), value, after), until));
      }
      value = after;
    }
    return found.map(step -> answer(rank, asked, step.seen, step.until));
  }

  /** An object that was found by the way to it may be another one where the user stands. */
  private void requireSame(int rank, Trail.Change asked, String number) {
    SourceDebugger source = inspector.source(rank);
    OptionalInt level = Moments.level(source, asked);
    if (level.isPresent() && !source.isWatched(number, asked.expression(), level.getAsInt())) {
      throw new UserError(
          asked.expression() + " was another object's before " + asked.function() + " began",
          "the name stands for several objects on the way",
          "break " + asked.function() + ", and watch from there; or watch a static field");
    }
  }

  private int level(int rank, Trail.Change asked) {
    return Moments.level(inspector.source(rank), asked).orElse(0);
  }

  /** The end is the moment that the user stands at, if it lies between two calls. */
  private Optional<String> insertEnd(int rank, Trail way) {
    return way.moves().stream()
        .filter(Trail.Halt.class::isInstance)
        .map(Trail.Halt.class::cast)
        .findFirst()
        .map(halt -> inspector.source(rank).insertOnce(halt.place(), halt.condition()));
  }

  private Answer answer(
      int rank,
      Trail.Change asked,
      long from,
      RankState here,
      String now,
      @Nullable Seen last,
      int seen) {
    if (last == null || !last.after.equals(now)) {
      Optional<Long> call = callThatChanged(rank, asked, from, here.calls(), now);
      if (call.isEmpty()) {
        return Answer.of(
                "rank %d: %s has not changed since the first call behind MPI_Init"
                    .formatted(rank, asked.expression()))
            .value("changed", false);
      }
      requireChangedBy(rank, asked, call.get(), now);
      int event = debugger.run().calls(rank).eventAt(call.get());
      int found = debugger.run().graph().events().event(rank, event);
      Answer there = debugger.goTo(debugger.places().event(rank, event, Places.Others.CAUSAL));
      return Answer.of(
              "rank %d: %s became %s in event %d, %s"
                  .formatted(rank, asked.expression(), now, event, debugger.run().words(found)))
          .value("changed", true)
          .value("event", event)
          .add(there);
    }
    Trail there =
        Trail.from(from)
            .with(new Trail.Change(asked.expression(), asked.function(), asked.depth(), seen));
    return answer(rank, asked, last, there);
  }

  private Answer answer(int rank, Trail.Change asked, Seen last, Trail there) {
    return Answer.of(
            "rank %d: %s was changed last at %s: %s -> %s"
                .formatted(rank, asked.expression(), last.place, last.before, last.after))
        .value("changed", true)
        .value("place", last.place)
        .value("before", last.before)
        .value("after", last.after)
        .add(moments.findAgain(rank, there));
  }

  /**
   * How many calls were over at a moment before, at which the value is another one or not there.
   */
  private long whereItDiffers(int rank, long calls, Trail.Change asked, String now) {
    long with = calls;
    for (long span = 1; ; span *= FURTHER) {
      long from = Math.max(1, calls - span);
      moments.findAgain(rank, Trail.from(from));
      Optional<String> value = moments.value(rank, asked);
      if (value.isEmpty() && with < calls) {
        moments.findAgain(rank, Trail.from(with));
        return with;
      }
      if (value.isEmpty() || !value.get().equals(now) || from == 1) {
        return from;
      }
      with = from;
    }
  }

  /** Halves the calls between one at which the value was another and one at which it is this. */
  private Optional<Long> callThatChanged(
      int rank, Trail.Change asked, long from, long to, String now) {
    long other = from;
    long same = to;
    moments.findAgain(rank, Trail.from(from));
    if (moments.value(rank, asked).filter(now::equals).isPresent()) {
      return Optional.empty();
    }
    while (same - other > 1) {
      long middle = (other + same) >>> 1;
      moments.findAgain(rank, Trail.from(middle));
      if (moments.value(rank, asked).filter(now::equals).isPresent()) {
        same = middle;
      } else {
        other = middle;
      }
    }
    return Optional.of(other);
  }

  /** Every visit may be to another process: what was never set has another value in each. */
  private void requireChangedBy(int rank, Trail.Change asked, long call, String now) {
    moments.findAgain(rank, Trail.from(call));
    String before = moments.value(rank, asked).orElse("");
    moments.findAgain(rank, Trail.from(call + 1));
    String after = moments.value(rank, asked).orElse("");
    if (!after.equals(now)) {
      throw new UserError(
          asked.expression() + " has another value in every replay",
          "%s where it was watched, %s and %s before and after the call where that seemed to begin"
              .formatted(now, before, after),
          "it was never set, or depends on what is not recorded, such as addresses");
    }
  }

  private String where(int rank) {
    RankState state = debugger.timeline().state(rank);
    int event = debugger.run().calls(rank).eventAt(state.calls());
    return (state.kind() == RankState.Kind.INSIDE ? ", inside event " : ", before event ") + event;
  }
}
