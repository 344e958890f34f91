package org.reprise.cli.analysis;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Progress;
import org.reprise.causality.Site;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.terminal.Session;
import org.reprise.cli.terminal.Terminal;
import org.reprise.launch.EventLearner;
import org.reprise.launch.run.Replay;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.launch.source.CallStack;
import org.reprise.launch.source.SourceLines;
import org.reprise.launch.verdict.Verdict;
import org.reprise.launch.verdict.VerdictText;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.events.CallSites;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.run.EventsManifest;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/**
 * The events of a run with their places in the source, for the commands that show or analyse them.
 */
public final class RunEvents implements Site {
  private final RecordedRun run;
  private final Optional<EventsManifest> manifest;
  private final List<Rank> ranks;
  private final Map<Rank, CallSites> sites = new HashMap<>();
  private final Map<Object, Integer> numbers = new HashMap<>();
  private final SourceLines lines;

  /**
   * By rank and site there, from 1: which call is made; of the sites that the graph's events have.
   */
  private final Map<Integer, int[]> calls = new HashMap<>();

  private RunEvents(RecordedRun run, Session session) {
    this.run = run;
    manifest = EventsManifest.of(run);
    // Without it, files of events may be those of anything.
    ranks =
        manifest.isEmpty()
            ? List.of()
            : run.ranksPresent().stream()
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
  public static RunEvents of(RecordedRun run, Session session) {
    return new RunEvents(run, session);
  }

  /**
   * Learns the events of a run by a replay, unless it has them and nobody asks for more of the
   * stack. Returns 0, or the exit status of a replay that left the recorded order: then they are
   * those up to there, unless the run had all of them before.
   */
  public static int learn(
      RecordedRun run,
      Optional<Integer> stack,
      Optional<Long> jitter,
      LearnOptions options,
      Session session) {
    RunDirectory directory = run.directory();
    if (stack.isEmpty() && EventLearner.knows(run)) {
      return 0;
    }
    options.requireRunning(run);
    session.terminal().tell("replaying " + directory.name() + " to learn its events");
    Replay replay =
        new EventLearner(
                session.engine(
                    run.description().mpi().family(), false, options.permission(session)))
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
    boolean known = EventLearner.knows(run);
    if (replay.verdict() instanceof Verdict.SameOrder) {
      if (!known) {
        throw new UserError(
            "the events of " + directory.name() + " could not be written to the end",
            "the file of a rank is cut short, though it did what it had done",
            "make room in " + directory.path() + ", and try again");
      }
      return 0;
    }
    VerdictText.lines(replay.verdict()).forEach(session.terminal()::tell);
    session
        .terminal()
        .tell(
            known
                ? "the events are those that were there before"
                : "the events are those up to there");
    return Replay.NOT_THE_SAME;
  }

  /** What is known of the files of events; empty if nothing is, and then none is read. */
  Optional<EventsManifest> manifest() {
    return manifest;
  }

  /** The ranks that have events. */
  public List<Rank> ranks() {
    return ranks;
  }

  private CallSites sites(Rank rank) {
    return sites.getOrDefault(rank, CallSites.none());
  }

  /** The name of a call by its number, without {@code MPI_}. */
  public String callName(int call) {
    List<String> names = run.description().callNames();
    return call < names.size() ? names.get(call) : "call " + call;
  }

  /** The stack of an event with this call. */
  public CallStack stack(Rank rank, int site, int call) {
    CallSites theirs = sites(rank);
    return CallStack.of(
        callName(call),
        theirs.site(site).orElse(new CallSite(List.of())),
        theirs.framesWanted(),
        lines);
  }

  public CallStack stack(EventTable events, int event) {
    return stack(new Rank(events.rank(event)), events.site(event), events.call(event));
  }

  /** The name of an event's call: {@code MPI_Recv}. */
  public String call(EventTable events, int event) {
    return "MPI_" + callName(events.call(event));
  }

  /**
   * Where an event's call is in the source: {@code , at gather order_sum.c:56}; empty if unknown.
   */
  public String at(EventTable events, int event) {
    return stack(events, event).places().stream()
        .findFirst()
        .map(place -> ", at " + place.text())
        .orElse("");
  }

  /** An event of this run in words, with its place in the source. */
  public String words(EventTable events, int event) {
    String peer = events.peer(event) < 0 ? "" : direction(events.kind(event)) + events.peer(event);
    String tag = events.tag(event) < 0 ? "" : ", tag " + events.tag(event);
    return call(events, event) + peer + tag + at(events, event);
  }

  private static String direction(EventKind kind) {
    return kind.isCollective() ? ", root " : kind.isSend() ? " to " : " from ";
  }

  /** The graph of all events; a run that is too large for this Java machine is refused at once. */
  public EventGraph graph(Progress progress) {
    long records = 0;
    for (Rank rank : ranks) {
      try (EventReader events = run.directory().openEvents(rank)) {
        records += events.header().outcomes();
      }
    }
    AnalysisMemory.require(records);
    EventTable.Builder table = new EventTable.Builder(run.ranks(), records, progress);
    for (Rank rank : ranks) {
      try (EventReader events = run.directory().openEvents(rank)) {
        table.add(events);
      }
    }
    EventTable events = table.build();
    AnalysisMemory.require(events);
    for (Rank rank : ranks) {
      calls.put(rank.number(), callsAtSites(rank, events));
    }
    return EventGraph.of(events, EventGraph.clockBytes(), progress);
  }

  private int[] callsAtSites(Rank rank, EventTable events) {
    int[] calls = new int[sites(rank).all().size() + 1];
    int first = events.first(rank.number());
    for (int event = first; event < first + events.size(rank.number()); event++) {
      int site = events.site(event);
      if (site < calls.length) {
        calls[site] = events.call(event);
      }
    }
    return calls;
  }

  private int callAt(int rank, int site) {
    int[] known = calls.getOrDefault(rank, new int[0]);
    return site < known.length ? known[site] : 0;
  }

  /**
   * Sites of different ranks are the same if the calls are at the same address, or line. A call
   * that the compiler put into several callers is a site in each of them, so that one of them can
   * be suppressed alone; one that it only repeated, unrolling a loop, is one site. Calls through
   * wrappers of MPI are told apart by where those are called.
   */
  @Override
  public int of(int rank, int site) {
    return sites(new Rank(rank))
        .site(site)
        .filter(known -> !known.frames().isEmpty())
        .map(
            known ->
                numbers.computeIfAbsent(key(known, callAt(rank, site)), _ -> numbers.size() + 1))
        .orElse(0);
  }

  private Object key(CallSite site, int call) {
    String name = callName(call);
    CallStack stack = CallStack.of(name, site, 1, lines);
    return stack.places().stream().allMatch(place -> place.line().isPresent())
        ? stack.places()
        : List.of(site.frames().getFirst(), stack.places());
  }
}
