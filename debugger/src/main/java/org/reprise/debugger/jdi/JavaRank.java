package org.reprise.debugger.jdi;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.InternalException;
import com.sun.jdi.InvalidStackFrameException;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ExceptionEvent;
import com.sun.jdi.event.LocatableEvent;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.StepRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.reprise.debugger.source.SourceDebugger;
import org.reprise.debugger.source.SourceError;
import org.reprise.debugger.source.SourceFrame;

/**
 * One rank of a child JVM: its first thread. Commands come from the prompt, and what the JVM says
 * of the thread from the session's own; one at a time.
 */
final class JavaRank implements SourceDebugger {
  private static final String NUMBER = "reprise.number";

  /** A breakpoint with all its places in code. */
  private record Breakpoint(
      JavaPlace place,
      Optional<String> condition,
      boolean once,
      Map<Location, BreakpointRequest> requests) {}

  /**
   * A value that is watched: a variable that outlives its frame, or an expression in the frame so
   * many above the outermost one.
   */
  private record Watched(
      String number, String expression, Optional<Variable> variable, int depth, String method) {}

  private final Jvm jvm;
  private final ThreadReference thread;
  private final Map<String, Breakpoint> breakpoints = new LinkedHashMap<>();
  private int last;

  private boolean stopped;
  private @Nullable Stopped reason;

  // The move under way
  private @Nullable StepRequest step;
  private @Nullable BreakpointRequest goal;
  private int goalDepth;
  private int behindLine;

  // The value that is watched
  private @Nullable Watched watched;
  private @Nullable String valueBefore;
  private String placeBefore = "?";
  private @Nullable Change change;

  JavaRank(Jvm jvm, ThreadReference thread) {
    this.jvm = jvm;
    this.thread = thread;
  }

  // ---- Standing and going on ----

  @Override
  public synchronized boolean isStopped() {
    return stopped && !jvm.isGone();
  }

  @Override
  public boolean isGone() {
    return jvm.isGone();
  }

  @Override
  public synchronized Optional<Stopped> stopped() {
    return stopped ? Optional.ofNullable(reason) : Optional.empty();
  }

  @Override
  public synchronized void halt() {
    if (!stopped) {
      guarded(
          () -> {
            thread.suspend();
            stopped = true;
            reason = null;
            return true;
          });
    }
  }

  @Override
  public synchronized void resume() {
    if (stopped) {
      guarded(
          () -> {
            goOn();
            return true;
          });
    }
  }

  private void goOn() {
    stopped = false;
    reason = null;
    change = null;
    for (int left = thread.suspendCount(); left > 0; left--) {
      thread.resume();
    }
  }

  private interface Asked<T> {
    T ask() throws IncompatibleThreadStateException, AbsentInformationException;
  }

  /** What the debug interface throws comes out as what a user is told. */
  private <T> T guarded(Asked<T> asked) {
    try {
      return asked.ask();
    } catch (VMDisconnectedException e) {
      throw new SourceError("the JVM has ended");
    } catch (ObjectCollectedException | IncompatibleThreadStateException e) {
      throw new SourceError("the rank has ended");
    } catch (InvalidStackFrameException e) {
      throw new SourceError("the rank has moved meanwhile");
    } catch (AbsentInformationException e) {
      throw new SourceError("the class file says nothing of its lines: compile it with javac -g");
    } catch (InternalException e) {
      throw new SourceError("the JVM refuses: " + e.getMessage());
    }
  }

  // ---- What the JVM says ----

  /** Whether the thread is to stand, having come here; else it goes on. */
  synchronized boolean stands(LocatableEvent event) {
    if (stopped) {
      return true; // it was stopped by a user at the very same time
    }
    try {
      boolean stands =
          switch (event) {
            case BreakpointEvent met -> stands(met);
            case StepEvent made -> stands(made);
            case ExceptionEvent thrown -> stands(thrown);
            default -> false;
          };
      if (stands) {
        stopped = true;
        endMove();
      }
      return stands;
    } catch (IncompatibleThreadStateException
        | InvalidStackFrameException
        | ObjectCollectedException e) {
      return false;
    }
  }

  private boolean stands(BreakpointEvent met) throws IncompatibleThreadStateException {
    if (met.request().equals(goal)) {
      return goalDepth < 0 || thread.frameCount() == goalDepth;
    }
    String number = String.valueOf(met.request().getProperty(NUMBER));
    Breakpoint breakpoint = breakpoints.get(number);
    if (breakpoint == null) {
      return false;
    }
    String words = "";
    if (breakpoint.condition.isPresent()) {
      try {
        if (!JavaExpression.isTrue(thread.frame(0), breakpoint.condition.get())) {
          return false;
        }
      } catch (SourceError e) {
        words = " (" + breakpoint.condition.get() + ": " + e.getMessage() + ")";
      }
    }
    reason = new Stopped(Optional.of(number), words);
    if (breakpoint.once) {
      removeBreakpoint(number);
    }
    return true;
  }

  private boolean stands(StepEvent made) throws IncompatibleThreadStateException {
    if (watched != null) {
      return hasChanged(watched);
    }
    if (behindLine > 0) {
      boolean sameFrame = thread.frameCount() == goalDepth;
      return !sameFrame || made.location().lineNumber() > behindLine;
    }
    return true;
  }

  private boolean hasChanged(Watched watch) throws IncompatibleThreadStateException {
    String now = watchedValue(watch).orElse(null);
    String place = placeBefore;
    placeBefore = frame(0, thread.frame(0)).text();
    if (now == null) {
      watched = null; // its frame is no more
      return true;
    }
    boolean differs = !now.equals(valueBefore);
    if (differs) {
      change = new Change(now, place);
      valueBefore = now;
    }
    return differs;
  }

  private Optional<String> watchedValue(Watched watch) throws IncompatibleThreadStateException {
    if (watch.variable.isPresent()) {
      return watch.variable.map(variable -> ValueText.of(variable.get()));
    }
    List<StackFrame> frames = programFrames();
    int at = frames.size() - 1 - watch.depth;
    if (at < 0 || !frames.get(at).location().method().toString().equals(watch.method)) {
      return Optional.empty();
    }
    try {
      return Optional.of(ValueText.of(JavaExpression.value(frames.get(at), watch.expression)));
    } catch (SourceError e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** An exception that no frame of the program catches ends the rank. */
  private boolean stands(ExceptionEvent thrown) throws IncompatibleThreadStateException {
    ReferenceType type = thrown.exception().referenceType();
    Location caught = thrown.catchLocation();
    List<StackFrame> frames = thread.frames();
    int catcher = frames.size();
    for (int i = frames.size() - 1; i >= 0 && caught != null; i--) {
      if (frames.get(i).location().method().equals(caught.method())) {
        catcher = i;
      }
    }
    boolean programIsCaught =
        frames.subList(0, catcher).stream().anyMatch(Jvm::isOfProgram)
            && frames.stream().skip(catcher).noneMatch(Jvm::isOfProgram);
    if (!programIsCaught || type.name().startsWith("org.reprise.")) {
      return false;
    }
    String message =
        thrown.exception().getValue(type.fieldByName("detailMessage"))
                instanceof StringReference text
            ? ": " + text.value()
            : "";
    reason = new Stopped(Optional.empty(), type.name() + message);
    return true;
  }

  // ---- Moves ----

  @Override
  public synchronized void move(String command) {
    String[] words = command.split("\\s+", 2);
    guarded(
        () -> {
          endMove();
          if (watched != null) {
            steps(StepRequest.STEP_INTO);
          } else {
            switch (words[0]) {
              case "step" -> steps(StepRequest.STEP_INTO);
              case "next" -> steps(StepRequest.STEP_OVER);
              case "finish" -> finish();
              case "until" -> until(words.length > 1 ? words[1] : "");
              default -> {}
            }
          }
          goOn();
          return true;
        });
  }

  private void steps(int depth) {
    StepRequest made = jvm.steps(thread, depth);
    made.enable();
    step = made;
  }

  private void finish() throws IncompatibleThreadStateException {
    if (programFrames().size() < 2) {
      throw new SourceError("this is the outermost method: continue goes to its end");
    }
    steps(StepRequest.STEP_OUT);
  }

  /** Over lines, and never back in the same call of the method; or to a line that is named. */
  private void until(String place) throws IncompatibleThreadStateException {
    if (place.isEmpty()) {
      behindLine = Math.max(1, thread.frame(0).location().lineNumber());
      goalDepth = thread.frameCount();
      steps(StepRequest.STEP_OVER);
      return;
    }
    String whole = place.matches("\\d+") ? fileOf(thread.frame(0)) + ":" + place : place;
    List<Location> locations = jvm.locations(JavaPlace.of(whole));
    if (locations.isEmpty()) {
      throw new SourceError("there is no code at " + place + " in the classes that are loaded");
    }
    goal(locations.getFirst(), -1);
    steps(StepRequest.STEP_OUT);
  }

  private static String fileOf(StackFrame frame) {
    try {
      return frame.location().sourceName();
    } catch (AbsentInformationException e) {
      return "";
    }
  }

  private void goal(Location location, int depth) {
    BreakpointRequest request = jvm.requests().createBreakpointRequest(location);
    request.addThreadFilter(thread);
    request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    goalDepth = depth;
    goal = request;
    request.enable();
  }

  private void endMove() {
    if (step != null) {
      jvm.requests().deleteEventRequest(step);
      step = null;
    }
    if (goal != null) {
      jvm.requests().deleteEventRequest(goal);
      goal = null;
    }
    behindLine = 0;
  }

  /** The instruction behind the call is where it comes back to, in the same frame. */
  @Override
  public synchronized void leaveCall() {
    guarded(
        () -> {
          List<StackFrame> all = thread.frames();
          int level = 0;
          while (level < all.size() && !Jvm.isOfProgram(all.get(level))) {
            level++;
          }
          if (level == 0 || level == all.size()) {
            return false;
          }
          Location call = all.get(level).location();
          long behind = call.codeIndex() + Bytecode.lengthAt(call);
          endMove();
          goal(call.method().locationOfCodeIndex(behind), all.size() - level);
          goOn();
          return true;
        });
  }

  // ---- Looking ----

  private List<StackFrame> programFrames() throws IncompatibleThreadStateException {
    return thread.frames().stream().filter(Jvm::isOfProgram).toList();
  }

  @Override
  public synchronized List<SourceFrame> frames() {
    return guarded(
        () -> {
          List<StackFrame> all = thread.frames();
          List<SourceFrame> frames = new ArrayList<>();
          for (int level = 0; level < all.size(); level++) {
            if (Jvm.isOfProgram(all.get(level))) {
              frames.add(frame(level, all.get(level)));
            }
          }
          return frames;
        });
  }

  private SourceFrame frame(int level, StackFrame frame) {
    Location location = frame.location();
    String type = location.declaringType().name();
    String function = type.substring(type.lastIndexOf('.') + 1) + "." + location.method().name();
    String file = "";
    try {
      file = jvm.program().source(location.sourcePath()).toString();
    } catch (AbsentInformationException e) {
      // Compiled without.
    }
    return new SourceFrame(level, 0, function, file, Math.max(0, location.lineNumber()));
  }

  @Override
  public synchronized String evaluate(String expression, int level) {
    return guarded(() -> ValueText.of(JavaExpression.value(thread.frame(level), expression)));
  }

  @Override
  public synchronized String elements(String array, long from, long to, int level) {
    return guarded(
        () ->
            JavaExpression.value(thread.frame(level), "(" + array + ")[" + from + ":" + to + "]")
                    instanceof JavaExpression.Slice(ArrayReference whole, int first, int end)
                ? ValueText.elements(whole, first, end)
                : "");
  }

  /** What is a field, or reached by one, is the same in other methods of the class. */
  @Override
  public synchronized OptionalInt level(String expression, String function, int depth) {
    OptionalInt there = SourceDebugger.super.level(expression, function, depth);
    String type = function.substring(0, Math.max(0, function.lastIndexOf('.')));
    if (there.isPresent()) {
      return there;
    }
    return frames().stream()
        .filter(frame -> frame.function().startsWith(type + "."))
        .mapToInt(SourceFrame::level)
        .filter(level -> outlivesFrame(expression, level))
        .findFirst();
  }

  private boolean outlivesFrame(String expression, int level) {
    try {
      return guarded(() -> JavaExpression.variable(thread.frame(level), expression))
          .filter(Variable::outlivesFrame)
          .isPresent();
    } catch (SourceError e) {
      return false;
    }
  }

  @Override
  public synchronized boolean isWatched(String number, String expression, int level) {
    Watched watch = watched;
    return watch == null
        || watch.variable.isEmpty()
        || guarded(() -> JavaExpression.variable(thread.frame(level), expression))
            .equals(watch.variable);
  }

  @Override
  public synchronized boolean isSame(String expression, int one, int other) {
    try {
      return guarded(
          () -> {
            Optional<Variable> inner = JavaExpression.variable(thread.frame(one), expression);
            Optional<Variable> outer = JavaExpression.variable(thread.frame(other), expression);
            return one == other
                || inner.isPresent() && inner.get().outlivesFrame() && inner.equals(outer);
          });
    } catch (SourceError e) {
      return false;
    }
  }

  @Override
  public synchronized void assign(String assignment, int level) {
    int equals = assignment.indexOf('=');
    if (equals < 0) {
      throw new SourceError("'" + assignment + "' has no '='");
    }
    guarded(
        () -> {
          StackFrame frame = thread.frame(level);
          String name = assignment.substring(0, equals).strip();
          Variable variable =
              JavaExpression.variable(frame, name)
                  .orElseThrow(() -> new SourceError(name + " is no variable"));
          Object value = JavaExpression.value(frame, assignment.substring(equals + 1));
          variable.assign(value, jvm.machine());
          return true;
        });
  }

  // ---- Breakpoints ----

  @Override
  public String insert(String place, Optional<String> condition) {
    return insert(place, condition, false);
  }

  @Override
  public String insertOnce(String place, Optional<String> condition) {
    return insert(place, condition, true);
  }

  private synchronized String insert(String place, Optional<String> condition, boolean once) {
    Breakpoint breakpoint =
        new Breakpoint(JavaPlace.of(place), condition, once, new LinkedHashMap<>());
    String number = String.valueOf(++last);
    breakpoints.put(number, breakpoint);
    guarded(
        () -> {
          jvm.locations(breakpoint.place).forEach(location -> put(number, breakpoint, location));
          return true;
        });
    return number;
  }

  private void put(String number, Breakpoint breakpoint, Location location) {
    if (breakpoint.requests.containsKey(location)) {
      return;
    }
    BreakpointRequest request = jvm.requests().createBreakpointRequest(location);
    request.addThreadFilter(thread);
    request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    request.putProperty(NUMBER, number);
    request.enable();
    breakpoint.requests.put(location, request);
  }

  /** A class of the program was loaded, and has run nothing yet. */
  synchronized void loaded(ReferenceType type) {
    breakpoints.forEach(
        (number, breakpoint) ->
            breakpoint.place.in(type).forEach(location -> put(number, breakpoint, location)));
  }

  @Override
  public synchronized boolean hasBreakpoint(String number) {
    return breakpoints.containsKey(number) || watched != null && watched.number.equals(number);
  }

  @Override
  public synchronized void removeBreakpoint(String number) {
    Breakpoint removed = breakpoints.remove(number);
    if (removed != null) {
      jvm.requests().deleteEventRequests(List.copyOf(removed.requests.values()));
    }
    if (watched != null && watched.number.equals(number)) {
      watched = null;
    }
  }

  /** No JVM watches local variables or elements of arrays, so the value is read line by line. */
  @Override
  public synchronized String watch(String expression, int level) {
    return guarded(
        () -> {
          List<StackFrame> frames = programFrames();
          StackFrame frame = thread.frame(level);
          int at = frames.indexOf(frame);
          valueBefore = ValueText.of(JavaExpression.value(frame, expression));
          String number = "w" + ++last;
          watched =
              new Watched(
                  number,
                  expression,
                  JavaExpression.variable(frame, expression).filter(Variable::outlivesFrame),
                  frames.size() - 1 - Math.max(0, at),
                  frame.location().method().toString());
          placeBefore = frame(level, frames.getFirst()).text();
          return number;
        });
  }

  @Override
  public synchronized Optional<Change> changed(String number) {
    return stopped && watched != null && Objects.equals(watched.number, number)
        ? Optional.ofNullable(change)
        : Optional.empty();
  }

  /** Ranks are threads of one JVM, which nobody looks into that does not end it. */
  @Override
  public void leave() {
    resume();
  }

  /** The JVM is ended next, and all its ranks with it. */
  @Override
  public void close() {}
}
