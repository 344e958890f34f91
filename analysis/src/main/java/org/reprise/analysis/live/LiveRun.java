package org.reprise.analysis.live;

import java.nio.file.Files;
import java.time.Duration;
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
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.text.Words;

/**
 * Reads what the ranks of one host write of their events, and finds races meanwhile. It takes the
 * events of a live recording out of the ranks' rings; or it follows the files of a run whose events
 * are kept, and then the ranks do not know that anybody reads.
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
  private Optional<String> cutOff = Optional.empty();
  private final boolean takes;
  private boolean took;
  private long events;
  private long racing;
  private long uncertain;

  private LiveRun(RunDirectory run, Surroundings surroundings, boolean takes) {
    this.run = run;
    this.surroundings = surroundings;
    this.takes = takes;
  }

  /** Follows the files of events, if there are any. */
  public static LiveRun following(RunDirectory run, Surroundings surroundings) {
    return new LiveRun(run, surroundings, false);
  }

  /** Takes what the ranks write, which nobody else sees then. */
  static LiveRun taking(RunDirectory run, Surroundings surroundings) {
    return new LiveRun(run, surroundings, true);
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
    boolean more = isWhole();
    while (more) {
      more = turn(AHEAD_MAX) && isWhole();
      any |= more;
    }
    return any;
  }

  /** Whether all events can be read. Without those of one rank, those of the others pile up. */
  boolean isWhole() {
    return refused.isEmpty() && cutOff.isEmpty();
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
    boolean dropped = reader.header().has(Wire.Flag.EVENTS_DROPPED);
    boolean full = reader.header().has(Wire.Flag.DISK_FULL);
    if ((dropped || full) && !reader.refresh()) {
      cutOff =
          Optional.of(
              "rank "
                  + reader.rank()
                  + (full ? " could not write its events" : " went on without its events")
                  + ", when "
                  + Words.count(reader.number() + 1, "was read", "were read"));
    }
  }

  private void open() {
    for (Rank rank : run.ranks()) {
      boolean taken = takes && Files.exists(run.liveFile(rank));
      if (readers.containsKey(rank) || !taken && !Files.exists(run.eventsFile(rank))) {
        continue;
      }
      try {
        EventReader reader = taken ? run.takeEvents(rank) : run.openEvents(rank);
        took |= taken;
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
    if (finder != null && isWhole()) {
      run.ranks().stream()
          .filter(rank -> !readers.containsKey(rank))
          .findFirst()
          .ifPresent(rank -> cutOff = Optional.of("rank " + rank.number() + " has no events"));
      finder.finish();
    }
  }

  /** Whether events were taken, so that what is left of them is of no use. */
  boolean hasTaken() {
    return took;
  }

  /** How many bytes of events the ranks moved to files, as their rings were full. */
  public long spilledBytes() {
    return sum(HeaderField.SPILLED_BYTES);
  }

  /** How long ranks have waited for room in their rings, together. */
  public Duration waited() {
    return Duration.ofNanos(sum(HeaderField.WAITED_NANOS));
  }

  private long sum(HeaderField field) {
    return readers.values().stream().mapToLong(reader -> reader.header().get(field)).sum();
  }

  /** Where and why the search ended before the run; empty if it did not. */
  public Optional<String> cutOff() {
    return cutOff;
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
  }
}
