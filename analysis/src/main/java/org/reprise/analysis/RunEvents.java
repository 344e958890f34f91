package org.reprise.analysis;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Progress;
import org.reprise.causality.races.Races;
import org.reprise.causality.races.Site;
import org.reprise.launch.EventLearner;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.source.CallStack;
import org.reprise.launch.source.SourceLines;
import org.reprise.trace.Rank;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.events.CallSites;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.run.EventsManifest;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.text.Words;

/** The events of a run with their places in the source, for whoever shows or analyses them. */
public final class RunEvents implements Site {
  /** Runs of so many events are worth keeping what was found out about them. */
  private static final long KEPT_FROM = 500_000;

  private static final long KEPT_CLOCK_BYTES = 1L << 27;

  private final RecordedRun run;
  private final Optional<EventsManifest> manifest;
  private final List<Rank> ranks;
  private final Map<Rank, CallSites> sites = new HashMap<>();
  private final Map<Object, Integer> numbers = new HashMap<>();
  private final SourceLines lines;
  private final KeptAnalysis kept;
  private final long keptFrom;

  /**
   * By rank and site there, from 1: which call is made; of the sites that the graph's events have.
   */
  private final Map<Integer, int[]> calls = new HashMap<>();

  private RunEvents(
      RecordedRun run, Surroundings surroundings, Consumer<String> notes, long keptFrom) {
    this.run = run;
    manifest = EventsManifest.of(run);
    // Without it, files of events may be those of anything.
    ranks =
        manifest.isEmpty()
            ? List.of()
            : run.ranksPresent().stream()
                .filter(rank -> Files.exists(run.directory().eventsFile(rank)))
                .toList();
    tellOfMissingSites(notes);
    List<CallSite> all = new ArrayList<>();
    for (Rank rank : ranks) {
      CallSites theirs = run.directory().sites(rank);
      sites.put(rank, theirs);
      all.addAll(theirs.all());
    }
    lines = SourceLines.of(all, surroundings);
    lines.notes().forEach(notes);
    kept = new KeptAnalysis(run, ranks, surroundings);
    this.keptFrom = keptFrom;
  }

  /** By rank: when its events began, by the clock of its host. */
  public long[] originNanos() {
    long[] origins = new long[run.ranks()];
    for (Rank rank : ranks) {
      try (EventReader events = run.directory().openEvents(rank)) {
        origins[rank.number()] = events.header().get(HeaderField.START_NANOS);
      }
    }
    // Ranks that left no events must not pull the beginning of the run to that of time.
    long first = Arrays.stream(origins).filter(nanos -> nanos > 0).min().orElse(0);
    return Arrays.stream(origins).map(nanos -> Math.max(nanos, first)).toArray();
  }

  private void tellOfMissingSites(Consumer<String> notes) {
    List<Rank> without =
        ranks.stream().filter(rank -> !Files.exists(run.directory().sitesFile(rank))).toList();
    if (!without.isEmpty()) {
      notes.accept(
          "no source lines for %s: %s is not there"
              .formatted(
                  Words.ranks(without.stream().map(Rank::number).toList()),
                  run.directory().sitesFile(without.getFirst())));
    }
  }

  /**
   * Those that the run has; {@link EventLearner#ensure} gets them where it has none.
   *
   * @param surroundings where programs and their sources are looked for
   * @param notes is given what a person should know: sources that were not found
   */
  public static RunEvents of(RecordedRun run, Surroundings surroundings, Consumer<String> notes) {
    return new RunEvents(run, surroundings, notes, KEPT_FROM);
  }

  /** The same; of runs of so many events what is found out is kept. */
  public static RunEvents of(
      RecordedRun run, Surroundings surroundings, Consumer<String> notes, long keptFrom) {
    return new RunEvents(run, surroundings, notes, keptFrom);
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
    long expected = records;
    boolean large = expected >= keptFrom;
    Optional<EventGraph> known = large ? kept.read("graph", EventGraph::read) : Optional.empty();
    EventGraph graph = known.orElseGet(() -> read(progress, expected));
    if (large && known.isEmpty()) {
      kept.keep("graph", graph::write);
    }
    for (Rank rank : ranks) {
      calls.put(rank.number(), callsAtSites(rank, graph.events()));
    }
    return graph;
  }

  private EventGraph read(Progress progress, long records) {
    EventTable.Builder table = new EventTable.Builder(run.ranks(), records, progress);
    for (Rank rank : ranks) {
      try (EventReader events = run.directory().openEvents(rank)) {
        table.add(events);
      }
    }
    EventTable events = table.build();
    AnalysisMemory.require(events);
    // What is to be kept on disk should not be much larger than the events.
    long clockBytes =
        records < keptFrom
            ? EventGraph.clockBytes()
            : Math.min(EventGraph.clockBytes(), KEPT_CLOCK_BYTES);
    return EventGraph.of(events, clockBytes, progress);
  }

  /** What races in this run's graph. */
  public Races races(EventGraph graph) {
    return races("races", graph, Races::of);
  }

  /** What a replay of this run must force. */
  public Races controlSet(EventGraph graph) {
    return races("control-set", graph, Races::controlSet);
  }

  private Races races(String name, EventGraph graph, Function<EventGraph, Races> search) {
    boolean large = graph.events().size() >= keptFrom;
    Optional<Races> known = large ? kept.read(name, in -> Races.read(graph, in)) : Optional.empty();
    Races races = known.orElseGet(() -> search.apply(graph));
    if (large && known.isEmpty()) {
      kept.keep(name, races::write);
    }
    return races;
  }

  /** The graph of the first events of each rank alone, so many of each. */
  public EventGraph graphOfFirst(int[] counts) {
    EventTable.Builder table = new EventTable.Builder(run.ranks());
    for (Rank rank : ranks) {
      try (EventReader events = run.directory().openEvents(rank)) {
        table.add(new FirstEvents(events, counts[rank.number()]));
      }
    }
    return EventGraph.of(table.build());
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
