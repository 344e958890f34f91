package org.reprise.debugger;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.reprise.causality.Cut;
import org.reprise.causality.Cuts;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.recovery.Breakpoint;
import org.reprise.recovery.Timeline;
import org.reprise.trace.UserError;

/**
 * The places of a run that users have words for: an event, a race, a message, a moment in time, a
 * cut. Each stands for one consistent cut.
 */
final class Places {
  private static final Pattern EVENT = Pattern.compile("(\\d{1,6}):(\\d{1,9})");
  private static final Pattern TIME =
      Pattern.compile("(?:time\\s+)?(\\d{1,12}(?:\\.\\d{1,9})?)\\s*(ns|us|ms|s|m|h)");
  private static final Map<String, Long> UNITS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);
  private static final int SHOWN = 3;

  /**
   * A place that was named.
   *
   * @param cut where every rank is there
   * @param rank the rank that it is a place of: whoever else cannot get there, this one does
   * @param text in words
   */
  record Place(Cut cut, OptionalInt rank, String text) {}

  private final DebuggedRun run;
  private final EventGraph graph;
  private final EventTable events;

  Places(DebuggedRun run) {
    this.run = run;
    graph = run.graph();
    events = graph.events();
  }

  /** The place that is meant; empty if the words are none of a place among the events. */
  Optional<Place> named(String typed) {
    boolean latest = typed.contains("--latest");
    String words = typed.replace("--latest", "").strip();
    Matcher event = EVENT.matcher(words);
    Matcher time = TIME.matcher(words.toLowerCase(Locale.ROOT));
    if (event.matches()) {
      return Optional.of(
          event(
              Integer.parseInt(event.group(1)),
              Integer.parseInt(event.group(2)),
              latest ? Others.LATEST : Others.CAUSAL));
    }
    if (words.startsWith("message ")) {
      return Optional.of(message(words.substring("message ".length()).strip()));
    }
    if (words.matches("race\\b.*")) {
      return Optional.of(race(words.substring("race".length()).strip()));
    }
    if (time.matches()) {
      return Optional.of(time(nanos(time.group(1), time.group(2))));
    }
    if (words.equals("start")) {
      return Optional.of(new Place(new Cut(new int[events.ranks()]), OptionalInt.empty(), words));
    }
    return Cut.parse(words).map(this::cut);
  }

  /** The place that is meant, and nothing else may be. */
  Place required(String typed) {
    return named(typed)
        .orElseThrow(
            () ->
                new UserError(
                    "'" + typed + "' is not a place to go to",
                    "neither RANK:EVENT, nor race N, message RANK:EVENT, a time or a cut",
                    "goto 2:17, goto race 1, goto message 2:17, goto 1.5s, goto 5,7+,3 or goto start"));
  }

  /** How far ranks go that were not named. */
  enum Others {
    /** Right after what had to happen before (Thoai and Volkert 2003, section 3). */
    CAUSAL,
    /** As far as they can without it. */
    LATEST
  }

  /** Before an event of a rank. */
  Place event(int rank, int number, Others others) {
    int event = event(rank, number);
    Cut cut =
        others == Others.LATEST
            ? latestBefore(event)
            : Breakpoint.before(graph, run.calls(rank).firstOfCall(number) + events.first(rank))
                .cut();
    return new Place(
        cut,
        OptionalInt.of(rank),
        "rank %d before event %d, %s".formatted(rank, number, run.words(event)));
  }

  /** Nobody returns from MPI_Finalize alone, whatever the events say. */
  private Cut latestBefore(int event) {
    Cut latest = Breakpoint.latestBefore(graph, event).cut();
    int[] moments = Cuts.onEntry(graph, latest).moments();
    for (int rank = 0; rank < moments.length; rank++) {
      int last = events.size(rank) - 1;
      if (last >= 0 && run.call(events.event(rank, last)).equals("MPI_Finalize")) {
        moments[rank] = Math.min(moments[rank], 2 * run.calls(rank).firstOfCall(last));
      }
    }
    return new Cut(moments);
  }

  /** The message that raced and the one that was taken are both under way there. */
  private Place race(String typed) {
    List<DebuggedRun.Race> races = run.races();
    int number = typed.matches("\\d{1,6}") ? Integer.parseInt(typed) : 0;
    if (number < 1 || number > races.size()) {
      throw new UserError(
          "there is no race " + typed,
          races.isEmpty() ? "no race was found" : "there are races 1 to " + races.size(),
          "races lists them");
    }
    DebuggedRun.Race race = races.get(number - 1);
    return new Place(
        latestBefore(race.receive()), OptionalInt.of(events.rank(race.receive())), race.text());
  }

  /** Where a message is sent, or is received, and so is under way. */
  private Place message(String typed) {
    Matcher named = EVENT.matcher(typed);
    if (!named.matches()) {
      throw new UserError(
          "'" + typed + "' is not an event",
          "no RANK:EVENT",
          "message 2:17, its send or its receive");
    }
    int event = event(Integer.parseInt(named.group(1)), Integer.parseInt(named.group(2)));
    int message = message(event);
    int send = message < 0 ? EventTable.NONE : graph.pairing().send(message);
    int receive = message < 0 ? EventTable.NONE : graph.deliveries().received(message);
    if (send < 0 || receive < 0) {
      throw new UserError(
          typed + " is not a message with two ends",
          run.words(event) + (send < 0 ? "" : ", which nobody received"),
          "name the event that sent it, or the one that received it; events lists them");
    }
    return new Place(
        Breakpoint.underWay(graph, send, receive).cut(),
        OptionalInt.of(events.rank(receive)),
        "the message %d:%d to %d:%d is under way: %s"
            .formatted(
                events.rank(send),
                events.number(send),
                events.rank(receive),
                events.number(receive),
                run.words(send)));
  }

  private int message(int event) {
    int sent = graph.pairing().message(event);
    if (sent >= 0) {
      return sent;
    }
    int received = graph.deliveries().message(event);
    if (received >= 0) {
      return received;
    }
    int completion = graph.completion(event);
    return completion >= 0 && completion < events.size() && completion != event
        ? graph.deliveries().message(completion)
        : -1;
  }

  /** Where all ranks were at one moment of the run. */
  private Place time(long nanos) {
    Timeline timeline = run.timeline();
    if (nanos > timeline.durationNanos()) {
      throw new UserError(
          "the run was over then",
          "it took %.3f s from MPI_Init".formatted(timeline.durationNanos() / 1e9),
          "goto with a time before that");
    }
    Cut cut = Breakpoint.instant(timeline, nanos).cut();
    return new Place(cut, OptionalInt.empty(), "%.6f s".formatted(nanos / 1e9));
  }

  private static long nanos(String number, String unit) {
    return new BigDecimal(number)
        .multiply(BigDecimal.valueOf(UNITS.getOrDefault(unit, 1L)))
        .longValue();
  }

  /** When the recorded run had all of a cut behind it. */
  long nanos(Cut cut) {
    Timeline timeline = run.timeline();
    long latest = 0;
    for (int rank = 0; rank < events.ranks(); rank++) {
      int returned = Math.min(cut.returned(rank), graph.size(rank));
      if (returned > 0) {
        latest = Math.max(latest, timeline.exit(events.event(rank, returned - 1)));
      }
    }
    return latest;
  }

  /** The event of a rank that a user names. */
  int event(int rank, int number) {
    if (rank >= events.ranks()) {
      throw new UserError(
          "there is no rank " + rank + " in " + run.name(),
          "it has ranks 0 to " + (events.ranks() - 1),
          "name an event of one of them: RANK:EVENT");
    }
    if (number >= events.size(rank)) {
      throw new UserError(
          "there is no event " + rank + ":" + number + " in " + run.name(),
          "the events of rank %d are 0 to %d".formatted(rank, events.size(rank) - 1),
          "events %d lists them".formatted(rank));
    }
    return events.event(rank, number);
  }

  private Place cut(Cut cut) {
    int given = cut.moments().length;
    if (given != events.ranks()) {
      throw new UserError(
          "a cut has a number for each rank",
          "%d given, and %d ranks".formatted(given, events.ranks()),
          "cut says the one that the ranks are at");
    }
    for (int rank = 0; rank < given; rank++) {
      if (cut.begun(rank) > events.size(rank)) {
        throw new UserError(
            "rank %d does not come to event %d".formatted(rank, cut.returned(rank)),
            "it has %d events".formatted(events.size(rank)),
            "events %d lists them".formatted(rank));
      }
    }
    require(cut);
    return new Place(cut, OptionalInt.empty(), "cut " + cut.text());
  }

  /** The nearest consistent cut that holds all of another; who can return from a call has. */
  Cut around(Cut cut) {
    return Cuts.returned(graph, Cuts.around(graph, cut));
  }

  /** Refuses a cut at which no run can be, with what shows it and what is nearest. */
  void require(Cut cut) {
    if (Breakpoint.at(graph, cut) instanceof Breakpoint.Inconsistent wrong) {
      String found =
          wrong.crossings().stream()
              .limit(SHOWN)
              .map(this::words)
              .collect(Collectors.joining("\n"));
      throw new UserError(
          "no run can be at this cut: " + cut.text(),
          found.isEmpty() ? "the events contradict each other before it" : found,
          "goto %s (before it), or goto %s (after it)"
              .formatted(wrong.before().text(), Cuts.returned(graph, wrong.after()).text()));
    }
  }

  private String words(Cuts.Crossing crossing) {
    return "rank %d has returned from %s (event %d), and rank %d has not begun %s (event %d)"
        .formatted(
            events.rank(crossing.returned()),
            run.words(crossing.returned()),
            events.number(crossing.returned()),
            events.rank(crossing.awaited()),
            run.words(crossing.awaited()),
            events.number(crossing.awaited()));
  }
}
