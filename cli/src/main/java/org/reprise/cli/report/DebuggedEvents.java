package org.reprise.cli.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.races.Races;
import org.reprise.causality.races.RacingSite;
import org.reprise.causality.races.RacingSites;
import org.reprise.debugger.DebuggedRun;
import org.reprise.debugger.hold.CallIndex;
import org.reprise.recovery.Timeline;
import org.reprise.trace.Location;
import org.reprise.trace.Rank;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RecordedRun;

/** What the debugger knows of a run, out of its files of events. */
public final class DebuggedEvents implements DebuggedRun {
  private final RecordedRun run;
  private final RunEvents known;
  private final EventGraph graph;
  private final List<CallIndex> calls = new ArrayList<>();
  private @Nullable List<Race> races;
  private @Nullable Timeline timeline;

  public DebuggedEvents(RecordedRun run, RunEvents known, EventGraph graph) {
    this.run = run;
    this.known = known;
    this.graph = graph;
    for (int rank = 0; rank < run.ranks(); rank++) {
      try (EventReader events = run.directory().openEvents(new Rank(rank))) {
        calls.add(CallIndex.of(events));
      }
    }
  }

  @Override
  public String name() {
    return run.directory().name();
  }

  @Override
  public EventGraph graph() {
    return graph;
  }

  @Override
  public Timeline timeline() {
    Timeline found = timeline;
    if (found == null) {
      found = Timeline.of(graph, known.originNanos());
      timeline = found;
    }
    return found;
  }

  @Override
  public CallIndex calls(int rank) {
    return calls.get(rank);
  }

  @Override
  public String call(int event) {
    return known.call(graph.events(), event);
  }

  @Override
  public Optional<String> unfinishedCall(int rank) {
    return Optional.ofNullable(run.headers().get(new Rank(rank)))
        .flatMap(RankHeader::currentCall)
        .map(run.description()::callName);
  }

  @Override
  public Optional<Location> place(int event) {
    return known.stack(graph.events(), event).places().stream().findFirst();
  }

  @Override
  public String words(int event) {
    return known.words(graph.events(), event);
  }

  @Override
  public List<Race> races() {
    List<Race> found = races;
    if (found == null) {
      found =
          RacingSites.of(graph, Races.controlSet(graph), known).stream().map(this::race).toList();
      races = found;
    }
    return found;
  }

  private Race race(RacingSite site) {
    EventTable events = graph.events();
    RacingSite.Example example = site.example();
    int receive = example.receive();
    String took =
        example.took() == EventTable.NONE
            ? ""
            : ", took the message of rank " + events.rank(example.took());
    String could =
        example.couldTake() == EventTable.NONE
            ? ""
            : ", could have taken one of rank " + events.rank(example.couldTake());
    return new Race(
        receive,
        "rank %d, event %d: %s%s%s"
            .formatted(events.rank(receive), events.number(receive), words(receive), took, could));
  }

  /** Those that a signal ended; one that another's end took along is among them. */
  @Override
  public Set<Integer> crashed() {
    Set<Integer> crashed = new TreeSet<>();
    run.description()
        .rankEnds()
        .forEach(
            end -> {
              if (end.state() == Wire.State.RUNNING) {
                crashed.add(end.rank().number());
              }
            });
    return crashed;
  }

  @Override
  public Duration until(int rank, int event) {
    EventTable events = graph.events();
    int last = Math.min(event, events.size(rank)) - 1;
    return last < 0 ? Duration.ZERO : Duration.ofNanos(events.endNanos(events.event(rank, last)));
  }
}
