package org.reprise.debugger;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.reprise.causality.Cut;
import org.reprise.causality.EventTable;
import org.reprise.debugger.gdb.LineBreakpoint;
import org.reprise.debugger.hold.CallIndex;
import org.reprise.trace.UserError;

/** What is typed at the prompt, done: a line in, an answer out. */
public final class Commands {
  private static final Pattern EVENT = Pattern.compile("(\\d{1,6}):(\\d{1,9})");
  private static final Pattern CUT = Pattern.compile("\\d{1,9}\\+?(,\\d{1,9}\\+?)*");
  private static final Pattern CONDITION = Pattern.compile("(.*?)\\s+if\\s+(.*)");
  private static final int EVENTS_SHOWN = 20;
  private static final int EVENTS_BEFORE = 5;

  private final Debugger debugger;
  private final Inspector inspector;
  private final Stepper stepper;
  private final SortedMap<Integer, int[]> eventBreakpoints = new TreeMap<>();
  private int lastBreakpoint;
  private boolean quit;

  public Commands(Debugger debugger) {
    this.debugger = debugger;
    inspector = new Inspector(debugger);
    stepper = new Stepper(debugger, inspector);
  }

  /** Whether the user wants to leave. */
  public boolean isOver() {
    return quit;
  }

  /** Does what a line says; a line without a word does nothing. */
  public Answer execute(String line) {
    String stripped = line.strip();
    if (stripped.isEmpty() || stripped.startsWith("#")) {
      return new Answer();
    }
    String[] words = stripped.split("\\s+", 2);
    String rest = words.length > 1 ? words[1].strip() : "";
    Verb verb = Verb.of(words[0]).orElseThrow(() -> unknown(words[0]));
    return switch (verb) {
      case GOTO -> moved(goTo(rest));
      case RUN -> moved(run());
      case CONTINUE -> moved(goOn());
      case BACK -> moved(back(rest));
      case BREAK -> breakAt(rest);
      case BREAKPOINTS -> breakpoints();
      case DELETE -> delete(rest);
      case STEP -> stepper.step("-exec-step");
      case NEXT -> stepper.step("-exec-next");
      case FINISH -> stepper.step("-exec-finish");
      case UNTIL -> stepper.step(("-exec-until " + rest).strip());
      case WHERE -> debugger.where();
      case CUT -> cut();
      case RANKS -> ranks(rest);
      case STACK -> inspector.stacks();
      case FRAME -> inspector.choose(number(rest, "frame N"));
      case LIST -> inspector.list();
      case PRINT -> print(rest);
      case SET -> set(rest);
      case EVENTS -> events(rest);
      case RACES -> races();
      case HELP -> help(rest);
      case QUIT -> {
        quit = true;
        yield new Answer();
      }
    };
  }

  private static UserError unknown(String word) {
    return new UserError(
        "there is no command '" + word + "' in the debugger", word, "help lists what there is");
  }

  private Answer moved(Answer answer) {
    inspector.forget();
    return answer;
  }

  // ---- Going somewhere ----

  private Answer goTo(String typed) {
    boolean latest = typed.contains("--latest");
    String target = typed.replace("--latest", "").strip();
    Matcher event = EVENT.matcher(target);
    if (event.matches()) {
      int rank = Integer.parseInt(event.group(1));
      int number = Integer.parseInt(event.group(2));
      debugger.event(rank, number);
      CutFinder cuts = debugger.cuts();
      return debugger.goTo(
          latest ? cuts.latestBefore(rank, number) : cuts.before(rank, number),
          OptionalInt.of(rank));
    }
    if (target.startsWith("race")) {
      return goToRace(number(target.substring("race".length()).strip(), "goto race N"));
    }
    if (target.equals("start")) {
      return debugger.goTo(new Cut(new int[debugger.ranks()]));
    }
    if (CUT.matcher(target).matches()) {
      return debugger.goTo(cut(target));
    }
    throw new UserError(
        "'" + target + "' is no place to go to",
        "neither RANK:EVENT, nor race N, nor a cut",
        "goto 2:17, goto race 1, goto 5,7+,3 or goto start");
  }

  /** The message that raced and the one that was taken are both under way there. */
  private Answer goToRace(int number) {
    List<DebuggedRun.Race> races = debugger.run().races();
    if (number < 1 || number > races.size()) {
      throw new UserError(
          "there is no race " + number,
          races.isEmpty() ? "no race was found" : "there are races 1 to " + races.size(),
          "races lists them");
    }
    DebuggedRun.Race race = races.get(number - 1);
    EventTable events = debugger.run().graph().events();
    int rank = events.rank(race.receive());
    return Answer.of(race.text())
        .add(
            debugger.goTo(
                debugger.cuts().latestBefore(rank, events.number(race.receive())),
                OptionalInt.of(rank)));
  }

  private Cut cut(String typed) {
    String[] parts = typed.split(",", -1);
    EventTable events = debugger.run().graph().events();
    if (parts.length != events.ranks()) {
      throw new UserError(
          "a cut has a number for each rank",
          "%d given, and %d ranks".formatted(parts.length, events.ranks()),
          "cut says the one that the ranks are at");
    }
    int[] moments = new int[parts.length];
    for (int rank = 0; rank < parts.length; rank++) {
      boolean inside = parts[rank].endsWith("+");
      int returned = Integer.parseInt(parts[rank].replace("+", ""));
      if (returned + (inside ? 1 : 0) > events.size(rank)) {
        throw new UserError(
            "rank %d does not come to event %d".formatted(rank, returned),
            "it has %d events".formatted(events.size(rank)),
            "events %d lists them".formatted(rank));
      }
      moments[rank] = 2 * returned + (inside ? 1 : 0);
    }
    return new Cut(moments);
  }

  private Answer run() {
    debugger.timeline().close();
    return debugger.resume(nextEvents());
  }

  private Answer goOn() {
    debugger.requireStarted();
    return debugger.resume(nextEvents());
  }

  /** By rank, its next event at which there is a breakpoint. */
  private SortedMap<Integer, Integer> nextEvents() {
    SortedMap<Integer, Integer> next = new TreeMap<>();
    boolean started = debugger.timeline().isStarted();
    for (int[] breakpoint : eventBreakpoints.values()) {
      CallIndex index = debugger.run().calls(breakpoint[0]);
      long here = started ? debugger.timeline().state(breakpoint[0]).calls() : 0;
      if (index.callsBefore(breakpoint[1]) > here) {
        next.merge(breakpoint[0], breakpoint[1], Math::min);
      }
    }
    return next;
  }

  private Answer back(String typed) {
    debugger.requireStarted();
    if (debugger.focus().ranks().size() != 1 && debugger.ranks() != 1) {
      throw new UserError(
          "back goes back on one rank",
          debugger.focus().text() + " are chosen",
          "ranks 3, then back; or goto RANK:EVENT");
    }
    int rank = debugger.focus().ranks().first();
    CallIndex index = debugger.run().calls(rank);
    long events = typed.isEmpty() ? 1 : number(typed, "back N");
    int event = index.eventAt(debugger.timeline().state(rank).calls());
    for (long i = 0; i < events && event > 1; i++) {
      event = index.firstOfCall(event - 1);
    }
    return debugger.goTo(debugger.cuts().before(rank, Math.max(1, event)), OptionalInt.of(rank));
  }

  // ---- Breakpoints ----

  private Answer breakAt(String typed) {
    Matcher event = EVENT.matcher(typed);
    if (typed.isEmpty()) {
      throw new UserError(
          "break needs a place", "nothing", "break 2:17, break solver.c:212 if it > 900");
    }
    if (event.matches()) {
      int rank = Integer.parseInt(event.group(1));
      int number = Integer.parseInt(event.group(2));
      int found = debugger.event(rank, number);
      eventBreakpoints.put(++lastBreakpoint, new int[] {rank, number});
      return Answer.of(
              "breakpoint %d: rank %d before event %d, %s"
                  .formatted(lastBreakpoint, rank, number, debugger.run().words(found)))
          .value("number", lastBreakpoint);
    }
    Matcher condition = CONDITION.matcher(typed);
    boolean conditional = condition.matches();
    LineBreakpoint breakpoint =
        new LineBreakpoint(
            ++lastBreakpoint,
            conditional ? condition.group(1).strip() : typed,
            conditional ? Optional.of(condition.group(2).strip()) : Optional.empty(),
            debugger.focus().ranks());
    insert(breakpoint);
    return Answer.of("breakpoint " + lastBreakpoint + ": " + text(breakpoint))
        .value("number", lastBreakpoint);
  }

  private void insert(LineBreakpoint breakpoint) {
    debugger.gdbs().breakpoints().put(breakpoint.number(), breakpoint);
    if (!debugger.timeline().isStarted()) {
      return;
    }
    debugger.timeline().thaw();
    for (int rank : breakpoint.ranks()) {
      if (debugger.gdbs().of(rank).isPresent()) {
        inspector.gdb(rank);
        debugger.gdbs().insert(rank, breakpoint);
      }
    }
  }

  private static String text(LineBreakpoint breakpoint) {
    return breakpoint.place()
        + breakpoint.condition().map(condition -> " if " + condition).orElse("")
        + " on "
        + RankSet.of(breakpoint.ranks()).text();
  }

  private Answer breakpoints() {
    Answer answer = new Answer();
    SortedMap<Integer, String> texts = new TreeMap<>();
    eventBreakpoints.forEach(
        (number, event) ->
            texts.put(number, "rank %d before event %d".formatted(event[0], event[1])));
    debugger.gdbs().breakpoints().forEach((number, one) -> texts.put(number, text(one)));
    texts.forEach((number, text) -> answer.line(number + ": " + text));
    if (texts.isEmpty()) {
      answer.line("no breakpoints");
    }
    return answer.value("breakpoints", texts);
  }

  private Answer delete(String typed) {
    int number = number(typed, "delete N");
    boolean known = eventBreakpoints.remove(number) != null;
    if (debugger.gdbs().breakpoints().containsKey(number)) {
      debugger.timeline().thaw();
      for (int rank : inspector.attached()) {
        inspector.gdb(rank);
      }
      debugger.gdbs().remove(number);
      known = true;
    }
    if (!known) {
      throw new UserError("there is no breakpoint " + number, typed, "breakpoints lists them");
    }
    return Answer.of("breakpoint " + number + " removed");
  }

  // ---- Looking ----

  private Answer print(String typed) {
    if (typed.isEmpty()) {
      throw new UserError("print needs an expression", "nothing", "print x, print --gather u[0:n]");
    }
    return typed.startsWith("--gather")
        ? inspector.gather(unquoted(typed.substring("--gather".length()).strip()))
        : inspector.print(unquoted(typed));
  }

  /** As in a shell, though nobody needs it here. */
  private static String unquoted(String text) {
    boolean quoted = text.length() > 1 && text.startsWith("'") && text.endsWith("'");
    return quoted && text.indexOf('\'', 1) == text.length() - 1 && text.length() > 3
        ? text.substring(1, text.length() - 1)
        : text;
  }

  private Answer set(String typed) {
    if (!typed.startsWith("var ")) {
      throw new UserError("set changes variables only", typed, "set var x = 5");
    }
    return inspector.set(typed.substring("var ".length()).strip());
  }

  private Answer cut() {
    debugger.requireStarted();
    Cut cut = debugger.cut();
    boolean consistent = debugger.run().graph().isConsistent(cut);
    return Answer.of(CutFinder.text(cut) + (consistent ? "" : " (not consistent)"))
        .value("cut", CutFinder.text(cut))
        .value("consistent", consistent);
  }

  private Answer ranks(String typed) {
    if (!typed.isEmpty()) {
      debugger.focus(RankSet.parse(typed, debugger.ranks()));
    }
    return Answer.of(debugger.focus().text() + " of " + debugger.ranks())
        .value("ranks", List.copyOf(debugger.focus().ranks()));
  }

  private Answer events(String typed) {
    String[] words = typed.isEmpty() ? new String[0] : typed.split("\\s+");
    int rank =
        words.length > 0 ? number(words[0], "events RANK") : debugger.focus().ranks().first();
    debugger.event(rank, 0);
    int here = debugger.run().calls(rank).eventAt(debugger.timeline().state(rank).calls());
    int from =
        words.length > 1 ? number(words[1], "events RANK FROM") : Math.max(0, here - EVENTS_BEFORE);
    int count = words.length > 2 ? number(words[2], "events RANK FROM COUNT") : EVENTS_SHOWN;
    EventTable events = debugger.run().graph().events();
    Answer answer = new Answer();
    List<Object> values = new ArrayList<>();
    IntStream.range(from, Math.min(events.size(rank), from + count))
        .forEach(
            number -> {
              String words1 = debugger.run().words(events.event(rank, number));
              boolean next = number == here && debugger.timeline().isStarted();
              answer.line((next ? "> " : "  ") + rank + ":" + number + "  " + words1);
              Map<String, Object> value = new LinkedHashMap<>();
              value.put("rank", rank);
              value.put("event", number);
              value.put("words", words1);
              values.add(value);
            });
    return answer.value("events", values);
  }

  private Answer races() {
    Answer answer = new Answer();
    List<Object> values = new ArrayList<>();
    List<DebuggedRun.Race> races = debugger.run().races();
    EventTable events = debugger.run().graph().events();
    for (int i = 0; i < races.size(); i++) {
      DebuggedRun.Race race = races.get(i);
      answer.line(i + 1 + ": " + race.text());
      values.add(
          Map.of(
              "number", i + 1,
              "rank", events.rank(race.receive()),
              "event", events.number(race.receive()),
              "words", race.text()));
    }
    if (races.isEmpty()) {
      answer.line("no races");
    }
    return answer.value("races", values);
  }

  private Answer help(String typed) {
    Answer answer = new Answer();
    if (!typed.isEmpty()) {
      Verb verb = Verb.of(typed).orElseThrow(() -> unknown(typed));
      return answer.line(verb.synopsis()).line("  " + verb.does());
    }
    for (Verb verb : Verb.values()) {
      answer.line("%-12s %s".formatted(verb.word(), verb.does()));
    }
    return answer.line("help COMMAND says what it takes");
  }

  private static int number(String typed, String form) {
    try {
      return Integer.parseInt(typed);
    } catch (NumberFormatException e) {
      throw new UserError("'" + typed + "' is not a number", typed, form);
    }
  }
}
