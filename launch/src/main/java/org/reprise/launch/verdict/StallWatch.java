package org.reprise.launch.verdict;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RunDirectory;

/** Looks at the ranks of a running replay a few times a second, and tells when it is stuck. */
public final class StallWatch implements AutoCloseable {
  private static final Duration PAUSE_MAX = Duration.ofMillis(250);

  private final RunDirectory directory;
  private final Duration limit;
  private final int ranks;
  private final Consumer<Stall> onStall;
  private final String host = LiveRecorder.hostName();
  private final Thread thread;
  private volatile @Nullable Stall stall;

  private StallWatch(RunDirectory directory, int ranks, Duration limit, Consumer<Stall> onStall) {
    this.directory = directory;
    this.limit = limit;
    this.ranks = ranks;
    this.onStall = onStall;
    this.thread = Thread.ofPlatform().daemon().name("stall-watch").unstarted(this::run);
  }

  /**
   * Starts watching.
   *
   * @param directory where the ranks write
   * @param ranks how many there are; 0 if only they themselves know
   * @param limit how long nothing may move; zero for ever
   * @param onStall called once, in the watch's own thread
   */
  public static StallWatch start(
      RunDirectory directory, int ranks, Duration limit, Consumer<Stall> onStall) {
    StallWatch watch = new StallWatch(directory, ranks, limit, onStall);
    if (!limit.isZero()) {
      watch.thread.start();
    }
    return watch;
  }

  /** Stops watching; the stall that was met, if one was. */
  public Optional<Stall> stop() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.ofNullable(stall);
  }

  private void run() {
    Duration pause = limit.dividedBy(10).compareTo(PAUSE_MAX) < 0 ? limit.dividedBy(10) : PAUSE_MAX;
    try {
      int known = ranks;
      while (known == 0) {
        Thread.sleep(pause);
        SortedMap<Rank, RankHeader> first = headers(directory);
        known = first.isEmpty() ? 0 : first.firstEntry().getValue().ranks();
      }
      StallRule rule = new StallRule(known, limit);
      while (true) {
        long before = System.nanoTime();
        Thread.sleep(pause);
        if (System.nanoTime() - before > limit.toNanos() / 2) {
          // Stopped with the ranks, by Ctrl-Z: it is no fault of theirs that they got nowhere.
          rule.beginAnew();
        }
        SortedMap<Rank, RankHeader> headers = headers(directory);
        StallRule.Finding finding = rule.look(System.nanoTime(), moments(headers));
        if (finding != StallRule.Finding.GOING) {
          Stall met = stall(finding, headers);
          stall = met;
          onStall.accept(met);
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Stall stall(StallRule.Finding finding, SortedMap<Rank, RankHeader> headers)
      throws InterruptedException {
    Set<Rank> stopped =
        headers.values().stream()
            .filter(header -> moment(header).stopped())
            .map(RankHeader::rank)
            .collect(Collectors.toSet());
    List<RankHeader> asked =
        headers.values().stream()
            .filter(header -> moment(header).live() && header.host().equals(host))
            .filter(header -> !stopped.contains(header.rank()))
            .toList();
    Map<Rank, CallSite> stacks = RankStacks.ask(directory, asked);
    // Again: whoever answered has also noted which requests it waits for.
    return new Stall(
        finding == StallRule.Finding.AT_REST, limit, headers(directory), stopped, stacks);
  }

  /** The headers of all ranks that have one by now. */
  public static SortedMap<Rank, RankHeader> headers(RunDirectory directory) {
    SortedMap<Rank, RankHeader> headers = new TreeMap<>();
    for (Rank rank : directory.ranks()) {
      try {
        headers.put(rank, directory.header(rank));
      } catch (TraceError e) {
        // The rank is just creating its file, or was killed while it did.
      }
    }
    return headers;
  }

  private List<RankMoment> moments(SortedMap<Rank, RankHeader> headers) {
    return headers.values().stream().map(this::moment).toList();
  }

  private RankMoment moment(RankHeader header) {
    if (!header.host().equals(host)) {
      // Nobody knows what it does there: as if it never slept.
      return RankMoment.of(header, true, false, false, System.nanoTime());
    }
    try {
      Path process = Path.of("/proc", Long.toString(header.pid()));
      String status = Files.readString(process.resolve("status"));
      boolean dead = status.contains("\nState:\tZ") || status.contains("\nState:\tX");
      boolean stopped = status.contains("\nState:\tT");
      boolean traced = !status.contains("\nTracerPid:\t0\n");
      return RankMoment.of(header, !dead, traced, stopped && !traced, work(process));
    } catch (IOException e) {
      return RankMoment.of(header, false, false, false, 0);
    }
  }

  /** Processor time of a process and its threads: two fields behind the name, in parentheses. */
  private static long work(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
  }

  @Override
  public void close() {
    stop();
  }
}
