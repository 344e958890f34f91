package org.reprise.analysis.live;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.causality.live.LiveRaces;
import org.reprise.causality.live.LiveSink;
import org.reprise.causality.live.Race;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.source.CallStack;
import org.reprise.launch.source.SourceLines;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.events.CallSites;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RunDirectory;

/**
 * Follows the files of events that the ranks of one host write, and finds races meanwhile. The
 * ranks do not know that anybody reads: who follows may come late, go away, or be killed.
 */
public final class LiveRun implements AutoCloseable {
  /** Events of one rank in a row: ranks that keep in step have few messages under way. */
  private static final int BURST = 4096;

  /** A rank that is so far ahead of the others waits for them. */
  private static final int AHEAD_MAX = 1 << 16;

  /** What the lines of a finding are known by. */
  private record Pair(CallSite receive, CallSite send) {}

  /** The lines of ranks by the numbers that those gave them. */
  private record Numbers(int rank, int site, int sender, int sendSite) {}

  private final RunDirectory run;
  private final Surroundings surroundings;
  private final String host = LiveRecorder.hostName();
  private final Map<Rank, EventReader> readers = new HashMap<>();
  private final Map<Integer, CallSites> sites = new HashMap<>();
  private final Set<Numbers> met = new HashSet<>();
  private final Map<Pair, LiveFinding> findings = new LinkedHashMap<>();
  private final List<LiveFinding> fresh = new ArrayList<>();
  private @Nullable LiveRaces races;
  private Optional<String> refused = Optional.empty();
  private long events;
  private long racing;
  private long uncertain;

  public LiveRun(RunDirectory run, Surroundings surroundings) {
    this.run = run;
    this.surroundings = surroundings;
  }

  /** What races, as far as it is known. */
  private final class Sink implements LiveSink {
    @Override
    public void race(Race race) {
      racing += race.receives();
      if (met.add(new Numbers(race.rank(), race.site(), race.sender(), race.sendSite()))) {
        CallSite received = site(race.rank(), race.site());
        CallSite sent = site(race.sender(), race.sendSite());
        Pair pair = new Pair(received, sent);
        if (!findings.containsKey(pair)) {
          LiveFinding finding = new LiveFinding(race, place(received), place(sent));
          findings.put(pair, finding);
          fresh.add(finding);
        }
      }
    }

    @Override
    public void uncertain(int rank, long receive, int site) {
      uncertain++;
    }
  }

  private CallSite site(int rank, int number) {
    CallSites known = sites.get(rank);
    if (known == null || known.all().size() < number) {
      known = run.sites(new Rank(rank));
      sites.put(rank, known);
    }
    return known.site(number).orElse(new CallSite(List.of()));
  }

  private String place(CallSite site) {
    if (site.frames().isEmpty()) {
      return "";
    }
    SourceLines lines = SourceLines.of(List.of(site), surroundings);
    return CallStack.of("", site, 1, lines).places().stream()
        .findFirst()
        .map(place -> place.text())
        .orElse("");
  }

  /**
   * Reads what the ranks have written since, and goes on as far as it allows.
   *
   * @return whether there was anything
   */
  public boolean poll() {
    open();
    boolean any = false;
    boolean more = refused.isEmpty();
    while (more) {
      more = turn(AHEAD_MAX);
      any |= more;
    }
    return any;
  }

  private boolean turn(int ahead) {
    LiveRaces finder = races;
    if (finder == null) {
      return false;
    }
    long before = events;
    boolean held = false;
    for (EventReader reader : readers.values()) {
      if (finder.waiting(reader.rank()) > ahead) {
        held = true;
      } else {
        read(reader, finder);
      }
    }
    finder.advance();
    // Whoever is ahead may have what the others wait for: the end of a receive, say.
    return events > before || held && turn(Integer.MAX_VALUE);
  }

  private void read(EventReader reader, LiveRaces finder) {
    reader.refresh();
    for (int i = 0; i < BURST && reader.advance(); i++) {
      finder.read(reader);
      events++;
    }
  }

  private void open() {
    for (Rank rank : run.ranks()) {
      if (readers.containsKey(rank) || !Files.exists(run.eventsFile(rank))) {
        continue;
      }
      try {
        EventReader reader = run.openEvents(rank);
        readers.put(rank, reader);
        String wroteOn = reader.header().host();
        if (!wroteOn.isEmpty() && !wroteOn.equals(host)) {
          refused = Optional.of("ranks on other hosts are not followed: " + wroteOn);
        }
        if (races == null) {
          races = new LiveRaces(reader.ranks(), new Sink());
        }
      } catch (TraceError e) {
        // The rank is just creating its file.
      }
    }
  }

  /** No rank writes any more: reads what is left, and what was open is decided. */
  public void finish() {
    poll();
    LiveRaces finder = races;
    if (finder != null && refused.isEmpty()) {
      finder.finish();
    }
  }

  /** Findings since the last time that somebody asked. */
  public List<LiveFinding> takeFresh() {
    List<LiveFinding> taken = List.copyOf(fresh);
    fresh.clear();
    return taken;
  }

  /** The first race of each pair of lines, in the order in which they were found. */
  public List<LiveFinding> findings() {
    return List.copyOf(findings.values());
  }

  /** How many events were read. */
  public long events() {
    return events;
  }

  /** How many receives and probes race, as far as it is known. */
  public long racing() {
    return racing;
  }

  /** Of how many it is uncertain. */
  public long uncertain() {
    return uncertain;
  }

  /** How many events cannot be ordered yet. */
  public long waiting() {
    return races == null ? 0 : races.waiting();
  }

  /** Why races cannot be told, or not for certain; empty if they can. */
  public Optional<String> reservation() {
    if (refused.isPresent() || races == null) {
      return refused;
    }
    return races.limits().stream()
        .findFirst()
        .map(
            limit ->
                switch (limit) {
                  case OVERTAKING -> "a communicator allows messages to overtake each other";
                  case SEND_CANCELLED -> "a send was cancelled";
                  case CONTRADICTION -> "the events of the ranks contradict each other";
                });
  }

  @Override
  public void close() {
    readers.values().forEach(EventReader::close);
    readers.clear();
  }
}
