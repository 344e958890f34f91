package org.reprise.debugger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.reprise.causality.Cut;
import org.reprise.causality.EventTable;
import org.reprise.debugger.hold.CallIndex;
import org.reprise.debugger.source.SourceError;
import org.reprise.trace.UserError;

/** What is typed at the prompt, done: a line in, an answer out. */
public final class Commands implements Interpreter {
  private static final Pattern MOMENT = Pattern.compile("(\\d{1,6}):(\\d{1,9})\\s+then\\s+(.+)");
  private static final int EVENTS_SHOWN = 20;
  private static final int EVENTS_BEFORE = 5;
  private static final int LOADS_MAX = 8;

  private final Debugger debugger;
  private final Inspector inspector;
  private final Stepper stepper;
  private final Moments moments;
  private final LastChange lastChange;
  private final Breakpoints breakpoints;
  private final Path directory;
  private int loading;
  private boolean quit;

  /**
   * The commands of a debugger.
   *
   * @param directory names of files are read from here
   */
  public Commands(Debugger debugger, Path directory) {
    this.debugger = debugger;
    this.directory = directory;
    inspector = new Inspector(debugger);
    stepper = new Stepper(debugger, inspector);
    moments = new Moments(debugger, inspector, stepper);
    lastChange = new LastChange(debugger, inspector, stepper, moments);
    breakpoints = new Breakpoints(debugger, inspector);
  }

  @Override
  public String failure(SourceError error) {
    return debugger.sources().failure(error);
  }

  @Override
  public void interrupt() {
    debugger.interrupt();
  }

  @Override
  public void forgetInterrupt() {
    debugger.interrupted().set(false);
  }

  @Override
  public List<String> words() {
    return Arrays.stream(Verb.values()).map(Verb::word).toList();
  }

  @Override
  public boolean isOver() {
    return quit;
  }

  @Override
  public Answer execute(String line) {
    String stripped = line.strip();
    if (stripped.isEmpty() || stripped.startsWith("#")) {
      return new Answer();
    }
    String[] words = stripped.split("\\s+", 2);
    String rest = words.length > 1 ? words[1].strip() : "";
    Verb verb = Verb.of(words[0]).orElseThrow(() -> unknown(words[0]));
    return switch (verb) {
      case GOTO -> goTo(rest);
      case RUN -> moved(run());
      case CONTINUE -> moved(goOn());
      case BACK -> back(rest);
      case BREAK -> breakpoints.add(rest);
      case BREAKPOINTS -> breakpoints.list();
      case DELETE -> breakpoints.remove(number(rest, "delete N"));
      case STEP -> stepper.step("step", moments);
      case NEXT -> stepper.step("next", moments);
      case FINISH -> stepper.step("finish", moments);
      case UNTIL -> until(rest);
      case WHERE -> debugger.where();
      case CUT -> cut();
      case RANKS -> ranks(rest);
      case STACK -> inspector.stacks();
      case FRAME -> inspector.frame(rest);
      case LIST -> inspector.list();
      case PRINT -> print(inspector, rest);
      case SET -> set(rest);
      case WATCH -> watch(rest);
      case SAVE -> save(rest);
      case LOAD -> load(rest);
      case EVENTS -> events(rest);
      case RACES -> races();
      case HELP -> help(rest);
      case QUIT -> {
        quit = true;
        yield new Answer();
      }
    };
  }

  static UserError unknown(String word) {
    return new UserError(
        "there is no command '" + word + "' in the debugger", word, "help lists what there is");
  }

  private Answer moved(Answer answer) {
    inspector.forget();
    moments.arrived();
    return answer;
  }

  // ---- Going somewhere ----

  private Answer goTo(String typed) {
    Matcher moment = MOMENT.matcher(typed);
    if (moment.matches()) {
      int rank = number(moment.group(1), "goto RANK:EVENT then break FILE:LINE");
      int event = number(moment.group(2), "goto RANK:EVENT then break FILE:LINE");
      debugger.places().event(rank, event);
      long calls = debugger.run().calls(rank).callsBefore(event);
      return moments.findAgain(rank, Trail.parse(calls, moment.group(3)));
    }
    Places.Place place = debugger.places().required(typed);
    // What a race or a message is, its number does not say.
    boolean worded = typed.startsWith("race") || typed.startsWith("message");
    return (worded ? Answer.of(place.text()) : new Answer()).add(moved(debugger.goTo(place)));
  }

  /** Forward to a place of the run, or to a later line of the source. */
  private Answer until(String typed) {
    Optional<Places.Place> place =
        typed.matches("\\d*") ? Optional.empty() : debugger.places().named(typed);
    if (place.isEmpty()) {
      return stepper.step(("until " + typed).strip(), moments);
    }
    place.get().rank().ifPresent(debugger::requirePresent);
    Cut here = here();
    Cut there = union(here, place.get().cut());
    if (there.equals(here) && debugger.timeline().isStarted()) {
      throw new UserError(
          "the ranks are past that place", place.get().text(), "goto goes there from anywhere");
    }
    return moved(debugger.goTo(there, place.get().rank()));
  }

  private Answer run() {
    debugger.timeline().close();
    return toNextBreakpoint();
  }

  private Answer goOn() {
    debugger.requireStarted();
    return toNextBreakpoint();
  }

  private Answer toNextBreakpoint() {
    Cut here = here();
    Optional<Map.Entry<Integer, Places.Place>> next = breakpoints.next(here);
    if (next.isEmpty()) {
      return debugger.resume();
    }
    Places.Place place = next.get().getValue();
    Answer answer = debugger.goTo(union(here, place.cut()), place.rank());
    boolean reached = "reached".equals(answer.values().get("arrival"));
    return reached
        ? Answer.of("breakpoint %d: %s".formatted(next.get().getKey(), place.text()))
            .value("breakpoint", next.get().getKey())
            .add(answer)
        : answer;
  }

  private Cut here() {
    return debugger.timeline().isStarted() ? debugger.cut() : new Cut(new int[debugger.ranks()]);
  }

  /** Where every rank has got as far as in both; two consistent cuts have a consistent one. */
  private static Cut union(Cut one, Cut other) {
    int[] moments = one.moments();
    int[] others = other.moments();
    Arrays.setAll(moments, rank -> Math.max(moments[rank], others[rank]));
    return new Cut(moments);
  }

  private Answer back(String typed) {
    debugger.requireStarted();
    if (typed.startsWith("b")) {
      return backToBreakpoint();
    }
    int rank = oneRank("back goes back on one rank", "ranks 0, then back; or goto RANK:EVENT");
    if (typed.startsWith("l")) {
      return moments.lineBefore(rank);
    }
    CallIndex index = debugger.run().calls(rank);
    long events = typed.isEmpty() ? 1 : number(typed, "back, back N, back line or back breakpoint");
    int event = index.eventAt(debugger.timeline().state(rank).calls());
    for (long i = 0; i < events && event > 0; i++) {
      event = index.firstOfCall(event - 1);
    }
    return moved(debugger.goTo(debugger.places().event(rank, event, Places.Others.CAUSAL)));
  }

  private int oneRank(String cause, String fix) {
    if (debugger.focus().ranks().size() != 1) {
      throw new UserError(cause, debugger.focus().text() + " are chosen", fix);
    }
    return debugger.focus().ranks().first();
  }

  /** Back to the breakpoint that the run passed last; breakpoints on lines are met again. */
  private Answer backToBreakpoint() {
    Cut here = debugger.cut();
    Optional<Map.Entry<Integer, Places.Place>> previous = breakpoints.previous(here);
    Optional<Moments.Met> met = moments.lastMet(here, previous.map(one -> one.getValue().cut()));
    if (met.isPresent()) {
      return Answer.of("rank %d met breakpoint %d".formatted(met.get().rank(), met.get().number()))
          .value("breakpoint", met.get().number())
          .add(moments.findAgain(met.get().rank(), met.get().trail()));
    }
    if (previous.isEmpty()) {
      throw new UserError(
          "there is no breakpoint before this place",
          breakpoints.isEmpty() ? "no breakpoints" : "the run meets none before",
          "back goes back by an event, back line by a line");
    }
    return Answer.of(
            "breakpoint %d: %s"
                .formatted(previous.get().getKey(), previous.get().getValue().text()))
        .value("breakpoint", previous.get().getKey())
        .add(moved(debugger.goTo(previous.get().getValue())));
  }

  private Answer watch(String typed) {
    debugger.requireStarted();
    int rank = oneRank("watch looks at one rank", "ranks 0, then watch EXPR");
    if (typed.isEmpty()) {
      throw new UserError("watch needs an expression", "nothing", "watch u[0]");
    }
    debugger.interrupted().set(false);
    return lastChange.of(rank, typed);
  }

  // ---- Sessions ----

  /** A session is a file of commands, which lead to where the ranks are. */
  private Answer save(String typed) {
    Path file = file(typed, "save FILE");
    List<String> lines = new ArrayList<>();
    String only = debugger.isAlone() ? " --only " + debugger.present().list() : "";
    lines.add("# reprise debug " + debugger.run().name() + only);
    breakpoints.typed().forEach(one -> lines.add("break " + one));
    lines.add("ranks " + debugger.focus().list());
    if (debugger.timeline().isStarted()) {
      List<String> ways = moments.texts().lines();
      lines.addAll(ways.isEmpty() ? List.of("goto " + debugger.cut().text()) : ways);
    }
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UserError(
          "the session cannot be written to " + file,
          String.valueOf(e.getMessage()),
          "name a file in a directory that you may write to");
    }
    return Answer.of("saved to %s: load, or reprise debug -x, comes back here".formatted(file));
  }

  private Answer load(String typed) {
    Path file = file(typed, "load FILE");
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new UserError(
          "the session cannot be read from " + file,
          String.valueOf(e.getMessage()),
          "name a file that save wrote, or one with commands");
    }
    if (++loading > LOADS_MAX) {
      loading = 0;
      throw new UserError(
          "sessions load each other without end", file.toString(), "take load out of the file");
    }
    Answer answer = new Answer();
    for (String line : lines) {
      answer.add(execute(line));
    }
    loading--;
    return answer;
  }

  private Path file(String typed, String form) {
    if (typed.isEmpty()) {
      throw new UserError("'" + typed + "' is not a file", "nothing", form);
    }
    return directory.resolve(typed);
  }

  // ---- Looking ----

  static Answer print(Inspector inspector, String typed) {
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
    Answer answer = inspector.set(typed.substring("var ".length()).strip());
    debugger.timeline().spoil();
    return answer;
  }

  private Answer cut() {
    debugger.requireStarted();
    Cut cut = debugger.cut();
    boolean consistent = debugger.run().graph().isConsistent(cut);
    return Answer.of(cut.text() + (consistent ? "" : " (not consistent)"))
        .add(moments.texts())
        .value("cut", cut.text())
        .value("consistent", consistent);
  }

  private Answer ranks(String typed) {
    if (!typed.isEmpty()) {
      debugger.focus(debugger.ranks(typed));
    }
    return Answer.of(debugger.focus().text() + " of " + debugger.ranks())
        .value("ranks", List.copyOf(debugger.focus().ranks()));
  }

  private Answer events(String typed) {
    String[] words = typed.isEmpty() ? new String[0] : typed.split("\\s+");
    int rank =
        words.length > 0 ? number(words[0], "events RANK") : debugger.focus().ranks().first();
    debugger.places().event(rank, 0);
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
      Map<String, Object> value = new LinkedHashMap<>();
      value.put("number", i + 1);
      value.put("rank", events.rank(race.receive()));
      value.put("event", events.number(race.receive()));
      value.put("words", race.text());
      values.add(value);
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

  static int number(String typed, String form) {
    try {
      return Integer.parseInt(typed);
    } catch (NumberFormatException e) {
      throw new UserError("'" + typed + "' is not a number", typed, form);
    }
  }
}
