package org.reprise.cli;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Site;
import org.reprise.launch.EmbeddedReplayer;
import org.reprise.launch.EventLearner;
import org.reprise.launch.Place;
import org.reprise.launch.Replay;
import org.reprise.launch.ReplayRequest;
import org.reprise.launch.Replayer;
import org.reprise.launch.SourceLines;
import org.reprise.launch.Verdict;
import org.reprise.launch.VerdictText;
import org.reprise.trace.CallSite;
import org.reprise.trace.CallSites;
import org.reprise.trace.EventKind;
import org.reprise.trace.EventReader;
import org.reprise.trace.Rank;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.RunDirectory;

/**
 * The events of a run with their places in the source, for the commands that show or analyse them.
 */
final class RunEvents implements Site {
  private static final Pattern STARTS = Pattern.compile("__libc_start|_start\\b");

  private final RecordedRun run;
  private final List<Rank> ranks;
  private final Map<Rank, CallSites> sites = new HashMap<>();
  private final Map<Object, Integer> numbers = new HashMap<>();
  private final SourceLines lines;

  private RunEvents(RecordedRun run, Session session) {
    this.run = run;
    ranks =
        run.ranksPresent().stream()
            .filter(rank -> Files.exists(run.directory().eventsFile(rank)))
            .toList();
    tellOfMissingSites(session.terminal());
    List<CallSite> all = new ArrayList<>();
    for (Rank rank : ranks) {
      CallSites theirs = run.directory().sites(rank);
      sites.put(rank, theirs);
      all.addAll(theirs.all());
    }
    lines = SourceLines.of(all, session.surroundings());
    lines.notes().forEach(session.terminal()::tell);
  }

  private void tellOfMissingSites(Terminal terminal) {
    List<Rank> without =
        ranks.stream().filter(rank -> !Files.exists(run.directory().sitesFile(rank))).toList();
    if (!without.isEmpty()) {
      terminal.tell(
          "no source lines for %s: %s is not there"
              .formatted(
                  RaceReport.list(without.stream().map(Rank::number).toList()),
                  run.directory().sitesFile(without.getFirst())));
    }
  }

  /** Those that the run has. */
  static RunEvents of(RecordedRun run, Session session) {
    return new RunEvents(run, session);
  }

  /**
   * Learns the events of a run by a replay, unless it has them and nobody asks for more of the
   * stack. Returns 0, or the exit status of a replay that left the recorded order: then they are
   * those up to there.
   */
  static int learn(
      RecordedRun run, Optional<Integer> stack, Optional<Long> jitter, Session session) {
    RunDirectory directory = run.directory();
    if (stack.isEmpty() && EventLearner.knows(run)) {
      return 0;
    }
    session.terminal().tell("replaying " + directory.name() + " to learn its events");
    Replay replay =
        learner(directory, session)
            .learn(
                new ReplayRequest(
                    directory,
                    Optional.empty(),
                    Optional.empty(),
                    jitter.map(OptionalLong::of).orElseGet(OptionalLong::empty),
                    ReplayRequest.STALL_LIMIT,
                    Optional.empty(),
                    OptionalInt.of(stack.orElse(1)),
                    true));
    if (replay.verdict() instanceof Verdict.SameOrder) {
      return 0;
    }
    VerdictText.lines(replay.verdict()).forEach(session.terminal()::tell);
    session.terminal().tell("the events are those up to there");
    return Replay.NOT_THE_SAME;
  }

  private static EventLearner learner(RunDirectory run, Session session) {
    Terminal terminal = session.terminal();
    return EmbeddedReplayer.isFor(run.description())
        ? new EventLearner(
            new EmbeddedReplayer(
                session.surroundings(), terminal.rankConsole(false), terminal::tell))
        : new EventLearner(new Replayer(session.surroundings(), terminal::tell));
  }

  /** The ranks that have events. */
  List<Rank> ranks() {
    return ranks;
  }

  private CallSites sites(Rank rank) {
    return sites.getOrDefault(rank, CallSites.none());
  }

  /**
   * The stack of an event, the call first; without what starts a program, which says nothing of it.
   */
  List<Place> stack(Rank rank, int site) {
    List<Place> stack = new ArrayList<>();
    for (CallSite.Frame frame : sites(rank).site(site).map(CallSite::frames).orElse(List.of())) {
      List<Place> places = lines.places(frame);
      if (STARTS.matcher(places.getLast().function().orElse("")).lookingAt() && !stack.isEmpty()) {
        break;
      }
      stack.addAll(places);
    }
    return stack;
  }

  /** The name of an event's call: {@code MPI_Recv}. */
  String call(EventTable events, int event) {
    return "MPI_" + EventText.callName(run.description().callNames(), events.call(event));
  }

  /**
   * Where an event's call is in the source: {@code , at gather order_sum.c:56}; empty if unknown.
   */
  String at(EventTable events, int event) {
    return stack(new Rank(events.rank(event)), events.site(event)).stream()
        .findFirst()
        .map(place -> ", at " + place.text())
        .orElse("");
  }

  /** An event of this run in words, with its place in the source. */
  String words(EventTable events, int event) {
    String peer = events.peer(event) < 0 ? "" : direction(events.kind(event)) + events.peer(event);
    String tag = events.tag(event) < 0 ? "" : ", tag " + events.tag(event);
    return call(events, event) + peer + tag + at(events, event);
  }

  private static String direction(EventKind kind) {
    return kind.isCollective() ? ", root " : kind.isSend() ? " to " : " from ";
  }

  EventGraph graph() {
    EventTable.Builder table = new EventTable.Builder(run.ranks(), 0);
    for (Rank rank : ranks) {
      try (EventReader events = run.directory().openEvents(rank)) {
        table.add(events);
      }
    }
    return EventGraph.of(table.build());
  }

  /**
   * Sites of different ranks are the same if the calls are at the same address, or line. A call
   * that the compiler put into several callers is a site in each of them, so that one of them can
   * be suppressed alone; one that it only repeated, unrolling a loop, is one site.
   */
  @Override
  public int of(int rank, int site) {
    return sites(new Rank(rank))
        .site(site)
        .filter(known -> !known.frames().isEmpty())
        .map(
            known ->
                numbers.computeIfAbsent(key(known.frames().getFirst()), _ -> numbers.size() + 1))
        .orElse(0);
  }

  private Object key(CallSite.Frame frame) {
    List<Place> places = lines.places(frame);
    return places.stream().allMatch(place -> place.line().isPresent()) ? places : frame;
  }
}
