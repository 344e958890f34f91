package org.reprise.debugger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.reprise.causality.Cut;
import org.reprise.causality.Cuts;
import org.reprise.causality.EventTable;
import org.reprise.debugger.hold.Beginnings;
import org.reprise.debugger.hold.Bell;
import org.reprise.debugger.hold.CallIndex;
import org.reprise.debugger.hold.RankState;
import org.reprise.debugger.hold.ReplayTimeline;
import org.reprise.debugger.hold.Stop;
import org.reprise.debugger.source.SourceDebugger;
import org.reprise.debugger.source.SourceDebuggers;
import org.reprise.launch.verdict.VerdictText;
import org.reprise.trace.Location;
import org.reprise.trace.UserError;
import org.reprise.trace.events.EventKind;

/** A recorded run under the user's hands: where its ranks are, and how they get elsewhere. */
public final class Debugger implements InspectedRanks, AutoCloseable {
  /** So long a journey goes without a word. */
  private static final Duration WORTH_SAYING = Duration.ofSeconds(1);

  /** How often ranks that wait for others in a call may let these in. */
  private static final int LET_IN_MAX = 20;

  private final DebuggedRun run;
  private final EventTable events;
  private final Places places;
  private final AtomicBoolean interrupted = new AtomicBoolean();
  private final Consumer<String> told;
  private final Beginnings beginnings;
  private final ReplayTimeline timeline;
  private final SourceDebuggers sources;
  private final RankSet present;
  private RankSet focus;

  /**
   * A debugger whose ranks have not been started.
   *
   * @param told gets sentences about what takes long, or is other than asked for
   * @param beginnings where ranks begin that go back; closed with the debugger
   * @param sources what looks into them; rings the bell when it has news
   * @param only the ranks that are replayed, without the others; if empty, all
   */
  public Debugger(
      DebuggedRun run,
      Optional<RankSet> only,
      Beginnings beginnings,
      Function<Bell, SourceDebuggers> sources,
      Consumer<String> told) {
    this.run = run;
    this.events = run.graph().events();
    this.places = new Places(run);
    this.told = told;
    Bell bell = new Bell();
    this.sources = sources.apply(bell);
    this.beginnings = beginnings;
    timeline = new ReplayTimeline(beginnings, events.ranks(), bell, this.sources, interrupted);
    present = only.orElseGet(() -> RankSet.all(events.ranks()));
    focus = present;
  }

  DebuggedRun run() {
    return run;
  }

  Places places() {
    return places;
  }

  ReplayTimeline timeline() {
    return timeline;
  }

  @Override
  public SourceDebuggers sources() {
    return sources;
  }

  /** One line for each different answer of a source-level debugger. */
  Answer collapsed(SortedMap<Integer, String> texts) {
    return Answer.collapsed(texts, sources::isFailure);
  }

  Consumer<String> told() {
    return told;
  }

  AtomicBoolean interrupted() {
    return interrupted;
  }

  int ranks() {
    return events.ranks();
  }

  @Override
  public RankSet focus() {
    return focus;
  }

  void focus(RankSet ranks) {
    focus = ranks;
  }

  /** The ranks that are replayed. */
  RankSet present() {
    return present;
  }

  /** Whether some ranks are replayed without the others. */
  boolean isAlone() {
    return present.ranks().size() < ranks();
  }

  /** Reads a list of ranks that are replayed; {@code all} is all of these. */
  RankSet ranks(String typed) {
    RankSet named = typed.equals("all") ? present : RankSet.parse(typed, ranks());
    named.ranks().forEach(this::requirePresent);
    return named;
  }

  /** Refuses a rank that is not replayed. */
  void requirePresent(int rank) {
    if (rank < ranks() && !present.contains(rank)) {
      throw new UserError(
          "rank " + rank + " is not there",
          "only " + present.text() + " of " + ranks() + " are replayed, alone",
          "leave out --only, or name this rank there, too");
    }
  }

  /** Ends what is under way; whoever waits for it gets the prompt back. */
  public void interrupt() {
    interrupted.set(true);
  }

  @Override
  public Optional<Long> process(int rank) {
    return timeline.process(rank);
  }

  @Override
  public void thaw() {
    timeline.thaw();
  }

  /** The ranks of which something was asked must run. */
  @Override
  public void requireStarted() {
    if (!timeline.isStarted()) {
      throw new UserError(
          "the ranks have not been started",
          "no goto or run before this",
          "goto RANK:EVENT, or run");
    }
  }

  // ---- Journeys ----

  /** Brings all ranks to a cut that is consistent. */
  Answer goTo(Cut cut) {
    return goTo(cut, OptionalInt.empty());
  }

  /**
   * The same.
   *
   * @param fixed the rank that the user has named: whoever else cannot get there, this one does
   */
  Answer goTo(Cut cut, OptionalInt fixed) {
    places.require(cut);
    List<Stop> stops = stops(cut);
    if (timeline.isSpoiled()) {
      told.accept("variables were changed here; the ranks begin again");
    }
    sayHowLong(cut, stops);
    interrupted.set(false);
    ReplayTimeline.Arrival arrival = timeline.goTo(stops);
    for (int i = 0; i < LET_IN_MAX && arrival == ReplayTimeline.Arrival.STUCK; i++) {
      Optional<Cut> other = letIn(cut, fixed);
      if (other.isEmpty() || other.get().equals(cut)) {
        break;
      }
      cut = other.get();
      arrival = timeline.goTo(stops(cut));
    }
    return arrived(arrival);
  }

  List<Stop> stops(Cut cut) {
    return IntStream.range(0, ranks())
        .mapToObj(rank -> Stop.of(cut, rank, run.calls(rank)))
        .toList();
  }

  private void sayHowLong(Cut cut, List<Stop> stops) {
    Duration longest = Duration.ZERO;
    List<Stop> origins = timeline.origins(stops);
    boolean restart = origins.stream().allMatch(Stop.BEGINNING::equals);
    for (int rank : present.ranks()) {
      Duration there = run.until(rank, cut.begun(rank));
      Duration here = run.until(rank, run.calls(rank).eventAt(origins.get(rank).calls()));
      Duration needed = there.minus(here);
      longest = needed.compareTo(longest) > 0 ? needed : longest;
    }
    if (longest.compareTo(WORTH_SAYING) > 0) {
      told.accept(
          "%s: the run took %.0f s to get there"
              .formatted(
                  restart ? "replaying from the start" : "going on", longest.toMillis() / 1000.0));
    }
  }

  /**
   * A library may let a rank return from a collective only when others are in it, though none of
   * their data is needed; these are let in. Where that is the rank that is to stay where it is, who
   * waits for it stays inside.
   */
  private Optional<Cut> letIn(Cut cut, OptionalInt fixed) {
    int[] moments = cut.moments();
    boolean entered = false;
    boolean stays = false;
    for (int rank : present.ranks()) {
      RankState state = timeline.state(rank);
      int number = run.calls(rank).eventAt(state.calls());
      if (state.kind() != RankState.Kind.INSIDE || number >= events.size(rank)) {
        continue;
      }
      int event = events.event(rank, number);
      String call = run.call(event);
      for (int other = 0; other < ranks(); other++) {
        int partner = partner(event, other);
        if (partner < 0 || moments[other] > 2 * partner || !present.contains(other)) {
          continue;
        }
        if (fixed.orElse(-1) == other) {
          moments[rank] = Math.min(moments[rank], 2 * run.calls(rank).lastOfCall(number) + 1);
          stays = true;
          told.accept(
              "rank %d stays inside %s (event %d): it returns only when rank %d is in it, too"
                  .formatted(rank, call, number, other));
        } else {
          moments[other] = 2 * partner + 1;
          entered = true;
          told.accept(
              "rank %d returns from %s (event %d) only when rank %d is in it, too: it was let in"
                  .formatted(rank, call, number, other));
        }
      }
    }
    if (stays) {
      return Optional.of(Cuts.within(run.graph(), new Cut(moments)));
    }
    return entered ? Optional.of(places.around(new Cut(moments))) : Optional.empty();
  }

  /**
   * The number of the event by which another rank takes part in a collective; -1 if it does not.
   */
  private int partner(int event, int other) {
    if (other == events.rank(event) || events.kind(event) != EventKind.COLLECTIVE) {
      return -1;
    }
    int before = 0;
    for (int i = events.first(events.rank(event)); i < event; i++) {
      before += isOn(i, events.comm(event)) ? 1 : 0;
    }
    for (int number = 0; number < events.size(other); number++) {
      if (isOn(events.event(other, number), events.comm(event)) && before-- == 0) {
        return number;
      }
    }
    return -1;
  }

  private boolean isOn(int event, int comm) {
    return events.kind(event).isCollective() && events.comm(event) == comm;
  }

  /** Brings all ranks to where they begin: lines before their first call are behind it. */
  Answer goToBeginning() {
    if (isAlone()) {
      throw new UserError(
          "ranks that are replayed alone begin behind MPI_Init",
          "only " + present.text() + " of " + ranks() + " are replayed",
          "goto RANK:1 for the first call behind it; or leave out --only");
    }
    interrupted.set(false);
    return arrived(timeline.goTo(Collections.nCopies(ranks(), Stop.BEGINNING)));
  }

  /** Brings all ranks to a place, and says its words first. */
  Answer goTo(Places.Place place) {
    place.rank().ifPresent(this::requirePresent);
    return goTo(place.cut(), place.rank());
  }

  /** Lets all ranks run to a breakpoint of the source, or to their end. */
  Answer resume() {
    List<Stop> stops = Collections.nCopies(ranks(), Stop.NEVER);
    if (timeline.isBehind(stops)) {
      throw new UserError(
          "the ranks have ended", "nothing to continue", "goto RANK:EVENT, or run to begin again");
    }
    interrupted.set(false);
    return arrived(timeline.runUntil(stops));
  }

  private Answer arrived(ReplayTimeline.Arrival arrival) {
    Answer answer = new Answer().value("arrival", arrival.name().toLowerCase(Locale.ROOT));
    switch (arrival) {
      case REACHED -> {
        if (allEnded()) {
          return answer.add(ended());
        }
      }
      case BROKEN_OFF -> {
        for (int rank = 0; rank < ranks(); rank++) {
          int of = rank;
          sources.reason(rank).ifPresent(reason -> answer.line("rank " + of + " met " + reason));
        }
      }
      case STUCK ->
          answer
              .fail()
              .line(
                  "not all ranks got there: those that are inside a call wait for others that are"
                      + " held");
      case INTERRUPTED -> answer.fail().line("interrupted");
      case ENDED -> {
        answer.fail().line("a rank ended before it got there");
        if (allEnded()) {
          return answer.add(ended());
        }
      }
    }
    return answer.add(where());
  }

  private boolean allEnded() {
    return present.ranks().stream()
        .allMatch(rank -> timeline.state(rank).kind() == RankState.Kind.ENDED);
  }

  private Answer ended() {
    Answer answer = new Answer();
    timeline
        .replay()
        .ifPresent(
            replay -> {
              awaitEnd();
              replay.drainOutput();
              if (!replay.isAlive()) {
                VerdictText.lines(replay.verdict()).forEach(answer::line);
                answer.line("the program's exit status is " + replay.exitStatus());
                answer.value("exitStatus", replay.exitStatus());
              }
            });
    timeline
        .exitStatus()
        .ifPresent(
            status -> {
              answer.line("the ranks, which were restored, have ended with status " + status);
              answer.value("exitStatus", status);
            });
    return answer.value("ended", true);
  }

  /** The launcher takes a moment longer than its ranks. */
  private void awaitEnd() {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    try {
      while (timeline.replay().filter(replay -> replay.isAlive()).isPresent()
          && System.nanoTime() < end
          && !interrupted.get()) {
        Thread.sleep(10);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- Where the ranks are ----

  /** Where a rank is, as a cut of it alone. */
  private Cut position(int rank) {
    RankState state = timeline.state(rank);
    boolean inside = state.kind() == RankState.Kind.INSIDE;
    return new Cut(new int[] {Stop.moment(run.calls(rank), state.calls(), inside)});
  }

  /** The cut that the ranks are at; who is not there is where the others need it to have been. */
  Cut cut() {
    int[] here =
        IntStream.range(0, ranks())
            .map(rank -> present.contains(rank) ? position(rank).moments()[0] : 0)
            .toArray();
    if (!isAlone()) {
      return new Cut(here);
    }
    int[] needed = Cuts.around(run.graph(), new Cut(here)).moments();
    present.ranks().forEach(rank -> needed[rank] = here[rank]);
    return new Cut(needed);
  }

  /** A line for each group of ranks that are at one place. */
  Answer where() {
    requireStarted();
    Map<String, SortedMap<Integer, Integer>> groups = new LinkedHashMap<>();
    List<Object> values = new ArrayList<>();
    for (int rank : present.ranks()) {
      RankState state = timeline.state(rank);
      CallIndex index = run.calls(rank);
      int number = index.eventAt(state.calls());
      Map<String, Object> value = new LinkedHashMap<>();
      value.put("rank", rank);
      value.put("state", state.kind().name().toLowerCase(Locale.ROOT));
      value.put("event", number);
      groups
          .computeIfAbsent(words(rank, state, number, value), _ -> new TreeMap<>())
          .put(rank, number);
      values.add(value);
    }
    Answer answer = new Answer();
    groups.forEach(
        (words, members) ->
            answer.line(
                RankSet.of(members.keySet()).text()
                    + ": "
                    + words.replace("{event}", eventsText(new TreeSet<>(members.values())))));
    return answer.value("ranks", values).value("cut", cut().text());
  }

  private static String eventsText(SortedSet<Integer> numbers) {
    return numbers.size() == 1
        ? "event " + numbers.first()
        : "events " + numbers.first() + " to " + numbers.last();
  }

  private String words(int rank, RankState state, int number, Map<String, Object> value) {
    Optional<String> line = haltedLine(rank);
    line.ifPresent(text -> value.put("line", text));
    if (state.kind() == RankState.Kind.ENDED) {
      return "ended";
    }
    if (number >= events.size(rank)) {
      return state.kind() == RankState.Kind.INSIDE
          ? "inside %s, which did not return".formatted(run.unfinishedCall(rank).orElse("a call"))
          : line.map(text -> "at " + text + ", ").orElse("") + "behind the last event";
    }
    int event = events.event(rank, number);
    Optional<Location> place = run.place(event);
    value.put("call", run.call(event));
    place.flatMap(Location::file).ifPresent(file -> value.put("file", file));
    place.ifPresent(known -> known.line().ifPresent(n -> value.put("sourceLine", n)));
    String next = run.call(event) + place.map(known -> ", at " + known.text()).orElse("");
    return switch (state.kind()) {
      case HELD -> "before {event}, " + next;
      case INSIDE -> "inside {event}, " + next;
      case RUNNING, STARTING, ENDED, ABSENT ->
          line.map(text -> "at " + text + ", before {event}").orElse("running, before {event}");
    };
  }

  /** The line at which a rank was stopped between two events. */
  private Optional<String> haltedLine(int rank) {
    if (timeline.state(rank).kind() != RankState.Kind.RUNNING) {
      return Optional.empty();
    }
    return sources
        .of(rank)
        .filter(SourceDebugger::isStopped)
        .map(SourceDebugger::frames)
        .filter(frames -> !frames.isEmpty())
        .map(frames -> frames.getFirst().text());
  }

  @Override
  public void close() {
    timeline.close();
    beginnings.close();
  }
}
