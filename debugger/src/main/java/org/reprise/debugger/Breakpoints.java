package org.reprise.debugger;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.causality.Cut;
import org.reprise.debugger.source.LineBreakpoint;
import org.reprise.trace.UserError;

/**
 * Where the user wants to stop: at places of the run, which are cuts, and at places of the source,
 * which source-level debuggers look after. Both are numbered together.
 */
final class Breakpoints {
  private static final Pattern LINE =
      Pattern.compile(
          "(?<place>.+?)(?:\\s+on\\s+(?:ranks?\\s+)?(?<ranks>[0-9,-]+|all))?(?:\\s+(?:if|when)\\s+(?<condition>.+))?");

  private final Debugger debugger;
  private final Inspector inspector;
  private final SortedMap<Integer, Places.Place> places = new TreeMap<>();
  private final SortedMap<Integer, String> typed = new TreeMap<>();
  private int last;

  Breakpoints(Debugger debugger, Inspector inspector) {
    this.debugger = debugger;
    this.inspector = inspector;
  }

  /** Sets one. */
  Answer add(String words) {
    if (words.isEmpty()) {
      throw new UserError(
          "break needs a place",
          "nothing",
          "break 2:17, break race 1, break message 2:17, break solver.c:212 on 0-7 if it > 900");
    }
    Optional<Places.Place> place = debugger.places().named(words);
    String text;
    if (place.isPresent()) {
      place.get().rank().ifPresent(debugger::requirePresent);
      places.put(++last, place.get());
      typed.put(last, words);
      text = place.get().text();
    } else {
      LineBreakpoint line = line(words);
      last = line.number();
      insert(line);
      typed.put(last, words.contains(" on ") ? words : typed(line));
      text = text(line);
    }
    return Answer.of("breakpoint " + last + ": " + text).value("number", last);
  }

  private LineBreakpoint line(String words) {
    Matcher parts = LINE.matcher(words);
    if (!parts.matches()) {
      throw new UserError(
          "'" + words + "' is not a place", words, "break solver.c:212 on 0-7 if it > 900");
    }
    RankSet ranks =
        parts.group("ranks") == null ? debugger.focus() : debugger.ranks(parts.group("ranks"));
    return new LineBreakpoint(
        last + 1,
        parts.group("place").strip(),
        Optional.ofNullable(parts.group("condition")).map(String::strip),
        ranks.ranks());
  }

  private void insert(LineBreakpoint breakpoint) {
    debugger.sources().breakpoints().put(breakpoint.number(), breakpoint);
    if (!debugger.timeline().isStarted()) {
      return;
    }
    debugger.timeline().thaw();
    for (int rank : breakpoint.ranks()) {
      if (debugger.sources().of(rank).isPresent()) {
        inspector.source(rank);
        debugger.sources().insert(rank, breakpoint);
      }
    }
  }

  private static String text(LineBreakpoint breakpoint) {
    return breakpoint.place()
        + breakpoint.condition().map(condition -> " if " + condition).orElse("")
        + " on "
        + RankSet.of(breakpoint.ranks()).text();
  }

  private static String typed(LineBreakpoint line) {
    return line.place()
        + " on "
        + RankSet.of(line.ranks()).list()
        + line.condition().map(condition -> " if " + condition).orElse("");
  }

  Answer list() {
    Answer answer = new Answer();
    SortedMap<Integer, String> texts = new TreeMap<>();
    places.forEach((number, place) -> texts.put(number, place.text()));
    debugger.sources().breakpoints().forEach((number, one) -> texts.put(number, text(one)));
    texts.forEach((number, text) -> answer.line(number + ": " + text));
    if (texts.isEmpty()) {
      answer.line("no breakpoints");
    }
    return answer.value("breakpoints", texts);
  }

  /** As they were typed, with the ranks that were chosen then. */
  Iterable<String> typed() {
    return typed.values();
  }

  Answer remove(int number) {
    boolean known = places.remove(number) != null;
    if (debugger.sources().breakpoints().containsKey(number)) {
      debugger.timeline().thaw();
      for (int rank : debugger.sources().attached()) {
        inspector.source(rank);
      }
      debugger.sources().remove(number);
      known = true;
    }
    if (!known) {
      throw new UserError(
          "there is no breakpoint " + number, String.valueOf(number), "breakpoints lists them");
    }
    typed.remove(number);
    return Answer.of("breakpoint " + number + " removed");
  }

  boolean isEmpty() {
    return typed.isEmpty();
  }

  /** The place of the run that comes first behind a cut, in the order of the recorded run. */
  Optional<Map.Entry<Integer, Places.Place>> next(Cut here) {
    return places.entrySet().stream()
        .filter(entry -> isAhead(entry.getValue(), here))
        .min(Comparator.comparingLong(entry -> debugger.places().nanos(entry.getValue().cut())));
  }

  /** The place of the run that comes last before a cut. */
  Optional<Map.Entry<Integer, Places.Place>> previous(Cut here) {
    return places.entrySet().stream()
        .filter(entry -> isBehind(entry.getValue(), here))
        .max(Comparator.comparingLong(entry -> debugger.places().nanos(entry.getValue().cut())));
  }

  /** Of a place that is one rank's, that rank decides; of another, whoever has not got there. */
  private static boolean isAhead(Places.Place place, Cut here) {
    int[] there = place.cut().moments();
    int[] now = here.moments();
    for (int rank = 0; rank < now.length; rank++) {
      if (place.rank().orElse(rank) == rank && there[rank] > now[rank]) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBehind(Places.Place place, Cut here) {
    int[] there = place.cut().moments();
    int[] now = here.moments();
    boolean before = false;
    for (int rank = 0; rank < now.length; rank++) {
      if (place.rank().orElse(rank) == rank) {
        before |= there[rank] < now[rank];
        if (there[rank] > now[rank]) {
          return false;
        }
      }
    }
    return before;
  }
}
