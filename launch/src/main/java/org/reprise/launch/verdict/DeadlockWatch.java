package org.reprise.launch.verdict;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reprise.launch.deadlock.Deadlock;
import org.reprise.launch.deadlock.Stance;
import org.reprise.launch.deadlock.WaitGraph;
import org.reprise.launch.interposer.CallTable;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.Rank;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.WaitNote;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.waits.RankWaits;

/**
 * Looks at the ranks of a running job, and tells when some of them can never go on. The ranks must
 * have been started with {@link Wire#ENV_WATCH}. Those that have been in one blocking call for a
 * moment are asked, by a signal, what they have sent, taken and wait for; {@link WaitGraph}
 * decides. No time decides: a rank that computes, however long, is live, and so is everybody who
 * waits for it.
 */
public final class DeadlockWatch implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Before ranks are asked: most waits are shorter, and a question costs a signal. */
  private static final Duration STILL = Duration.ofMillis(400);

  private static final Duration REST_MAX = Duration.ofSeconds(10);

  /**
   * A rank in a blocking call that has computed for so long did nothing else than look for
   * messages, many thousand times.
   */
  private static final Duration SETTLED = Duration.ofMillis(100);

  /** The same two where a rank has ended the job and waits for the others to come to rest. */
  private static final Duration PAUSE_STOPPING = Duration.ofMillis(10);

  private static final Duration STILL_STOPPING = Duration.ofMillis(30);

  private final RunDirectory directory;
  private final int ranks;
  private final Surroundings surroundings;
  private final Consumer<Found> onDeadlock;
  private final String host = LiveRecorder.hostName();
  private final CallTable calls = CallTable.ofInterposer();
  private final Map<Rank, Since> still = new HashMap<>();

  /**
   * Those that are at a stop, and what those that wait had computed when the last one came to it.
   */
  private Map<Rank, Since> stopped = Map.of();

  private Map<Rank, Duration> computedThen = Map.of();
  private final Thread thread;
  private volatile @Nullable Found found;
  private volatile boolean atRest;

  /** A deadlock, and the lines that report it, the first of which says the most. */
  public record Found(Deadlock deadlock, List<String> lines) {
    public Found {
      lines = List.copyOf(lines);
    }
  }

  /** A call that a rank is in, and since when we know. */
  private record Since(long calls, int call, long nanos) {}

  private DeadlockWatch(
      RunDirectory directory, int ranks, Surroundings surroundings, Consumer<Found> onDeadlock) {
    this.directory = directory;
    this.ranks = ranks;
    this.surroundings = surroundings;
    this.onDeadlock = onDeadlock;
    this.thread = Thread.ofPlatform().daemon().name("deadlock-watch").unstarted(this::run);
  }

  /**
   * Starts watching.
   *
   * @param directory where the ranks write
   * @param ranks of the job, 0 if that is not known before they have begun
   * @param onDeadlock called once, in the watch's own thread
   */
  public static DeadlockWatch start(
      RunDirectory directory, int ranks, Surroundings surroundings, Consumer<Found> onDeadlock) {
    DeadlockWatch watch = new DeadlockWatch(directory, ranks, surroundings, onDeadlock);
    watch.thread.start();
    return watch;
  }

  /** Stops watching; what was found, if anything was. Nothing of the questions is left behind. */
  public Optional<Found> stop() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Rank rank : directory.ranks()) {
      remove(directory.whereFile(rank));
      remove(directory.waitsFile(rank));
    }
    remove(directory.path().resolve("rest"));
    return Optional.ofNullable(found);
  }

  /** Whether a rank ended the job, and was told that no other could go on. */
  public boolean cameToRest() {
    return atRest;
  }

  private void run() {
    Duration rest = STILL;
    long notBefore = System.nanoTime();
    try {
      while (true) {
        SortedMap<Rank, RankHeader> headers = StallWatch.headers(directory);
        boolean stopping =
            headers.values().stream().anyMatch(header -> header.has(Wire.Flag.STOPPING));
        Thread.sleep(stopping ? PAUSE_STOPPING : PAUSE);
        Set<Rank> waiting = waiting(headers, stopping ? STILL_STOPPING : STILL);
        stop(headers, waiting);
        if (stopping) {
          if (graph(headers, waiting).isAtRest()) {
            atRest = true;
            Files.createFile(directory.path().resolve("rest"));
            return;
          }
          continue;
        }
        if (waiting.isEmpty() || System.nanoTime() - notBefore < 0) {
          continue;
        }
        Optional<Found> met = look(headers, waiting);
        if (met.isPresent()) {
          found = met.get();
          onDeadlock.accept(met.get());
          return;
        }
        // Long waits of a program that gets on are not disturbed again and again.
        rest = rest.multipliedBy(2).compareTo(REST_MAX) < 0 ? rest.multipliedBy(2) : REST_MAX;
        notBefore = System.nanoTime() + rest.toNanos();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      // The rank that waits for the word goes on without it, and nothing is said of the others.
      atRest = false;
    }
  }

  /** Those that have been in one blocking call for a while, here, and held by nobody. */
  private Set<Rank> waiting(SortedMap<Rank, RankHeader> headers, Duration enough) {
    long now = System.nanoTime();
    Set<Rank> waiting = new HashSet<>();
    headers.forEach(
        (rank, header) -> {
          int call = header.currentCall().orElse(-1);
          Since before = still.get(rank);
          if (before == null || before.calls() != header.calls() || before.call() != call) {
            still.put(rank, new Since(header.calls(), call, now));
          } else if (now - before.nanos() > enough.toNanos()
              && header.state() == Wire.State.RUNNING
              && header.host().equals(host)
              && isBlocking(call)) {
            waiting.add(rank);
          }
        });
    return waiting;
  }

  private void stop(SortedMap<Rank, RankHeader> headers, Set<Rank> waiting) {
    Map<Rank, Since> now = new HashMap<>();
    headers.forEach(
        (rank, header) -> {
          Since since = still.get(rank);
          boolean ended = header.state() != Wire.State.RUNNING;
          if (since != null && (ended || waiting.contains(rank))) {
            now.put(rank, since);
          }
        });
    if (!now.equals(stopped)) {
      stopped = now;
      computedThen = new HashMap<>();
      waiting.forEach(rank -> computedThen.put(rank, computed(headers.get(rank))));
    }
  }

  /** Those that wait and have looked for messages since the last of all came to a stop. */
  private Set<Rank> settled(SortedMap<Rank, RankHeader> headers) {
    Set<Rank> settled = new HashSet<>();
    computedThen.forEach(
        (rank, then) -> {
          if (computed(headers.get(rank)).minus(then).compareTo(SETTLED) > 0) {
            settled.add(rank);
          }
        });
    return settled;
  }

  private static Duration computed(@Nullable RankHeader header) {
    return Optional.ofNullable(header)
        .flatMap(known -> ProcessHandle.of(known.pid()))
        .flatMap(process -> process.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }

  private boolean isBlocking(int call) {
    if (call < 0 || call >= calls.calls().size()) {
      return false;
    }
    Set<CallTable.Role> roles = calls.calls().get(call).roles();
    return !roles.contains(CallTable.Role.POLLS)
        && !roles.contains(CallTable.Role.POSTS)
        && (roles.contains(CallTable.Role.SENDS)
            || roles.contains(CallTable.Role.RECEIVES)
            || roles.contains(CallTable.Role.PROBES)
            || roles.contains(CallTable.Role.COMPLETES)
            || roles.contains(CallTable.Role.COLLECTIVE));
  }

  private Optional<Found> look(SortedMap<Rank, RankHeader> before, Set<Rank> waiting)
      throws InterruptedException {
    Map<Rank, CallSite> stacks = new HashMap<>();
    WaitGraph graph = graph(before, waiting, stacks);
    SortedMap<Rank, RankHeader> now = StallWatch.headers(directory);
    return graph.deadlock().map(deadlock -> new Found(deadlock, lines(deadlock, now, stacks)));
  }

  private WaitGraph graph(SortedMap<Rank, RankHeader> before, Set<Rank> waiting)
      throws InterruptedException {
    return graph(before, waiting, new HashMap<>());
  }

  /** Asks ranks that wait, and lays out who waits for whom. */
  private WaitGraph graph(
      SortedMap<Rank, RankHeader> before, Set<Rank> waiting, Map<Rank, CallSite> stacks)
      throws InterruptedException {
    for (Rank rank : waiting) {
      remove(directory.whereFile(rank));
      remove(directory.waitsFile(rank));
    }
    List<RankHeader> asked = new ArrayList<>();
    waiting.forEach(rank -> asked.add(before.get(rank)));
    Set<Rank> settled = settled(before);
    stacks.putAll(RankStacks.ask(directory, asked));
    SortedMap<Rank, RankHeader> now = StallWatch.headers(directory);
    int all = Math.max(ranks, now.values().stream().mapToInt(RankHeader::ranks).max().orElse(0));
    NavigableMap<Rank, Stance> stances = new TreeMap<>();
    for (int number = 0; number < all; number++) {
      Rank rank = new Rank(number);
      stances.put(rank, stance(before.get(rank), now.get(rank), waiting.contains(rank)));
    }
    return new WaitGraph(stances, this::kind, settled);
  }

  private Stance stance(@Nullable RankHeader before, @Nullable RankHeader now, boolean asked) {
    if (before == null || now == null) {
      return new Stance.Moving();
    }
    Optional<RankWaits> known = RankWaits.readWhenWhole(directory.waitsFile(now.rank()));
    if (known.isPresent() && (now.state() == Wire.State.FINALIZED || now.has(Wire.Flag.STOPPING))) {
      return new Stance.Finished(known.get());
    }
    boolean same =
        asked
            && now.state() == Wire.State.RUNNING
            && before.calls() == now.calls()
            && before.get(HeaderField.CURRENT_CALL) == now.get(HeaderField.CURRENT_CALL);
    return known.isPresent() && same ? waiting(now, known.get()) : new Stance.Moving();
  }

  private Stance waiting(RankHeader header, RankWaits known) {
    int call = header.currentCall().orElse(-1);
    CallTable.Call made = calls.calls().get(call);
    if (made.roles().contains(CallTable.Role.COMPLETES)) {
      boolean any = made.name().equals("Waitany") || made.name().equals("Waitsome");
      boolean one = known.requests().size() == 1;
      return new Stance.Waiting(
          known, any, known.requests().stream().map(r -> want(r, !any && !one)).toList());
    }
    List<WaitNote> notes = header.waits();
    return new Stance.Waiting(
        known, false, notes.isEmpty() ? List.of() : List.of(want(notes.getFirst(), call)));
  }

  private Stance.Want want(WaitNote note, int call) {
    return switch (note.what()) {
      case RECEIVE -> new Stance.Want.Message(note.comm(), note.peer(), note.tag(), Long.MAX_VALUE);
      case SEND -> new Stance.Want.Reception(note.comm(), note.peer(), note.tag(), 0, false);
      case COLLECTIVE -> new Stance.Want.Members(note.comm(), note.tag(), call, needsAll(call));
      case UNKNOWN, OTHER -> new Stance.Want.Unknown();
    };
  }

  private Stance.Want want(RankWaits.Request request, boolean mayBeDone) {
    return switch (request.what()) {
      case RECEIVE ->
          new Stance.Want.Message(request.comm(), request.peer(), request.tag(), request.number());
      case SEND ->
          new Stance.Want.Reception(
              request.comm(),
              request.peer(),
              request.tag(),
              request.number() >> 1,
              mayBeDone && (request.number() & 1) == 0);
      // Which call began it is not kept: nothing is claimed of one that all have begun.
      case COLLECTIVE -> new Stance.Want.Members(request.comm(), request.number(), -1, false);
      case UNKNOWN, OTHER -> new Stance.Want.Unknown();
    };
  }

  /** Nobody returns from these before everybody has come. */
  private boolean needsAll(int call) {
    CallTable.Call made = calls.calls().get(call);
    return made.name().startsWith("Barrier")
        || made.name().startsWith("Allreduce")
        || made.treatment().startsWith("CREATES");
  }

  /** A call with large counts may meet one without; -1 is whatever the others are. */
  private int kind(int call) {
    if (call < 0 || call >= calls.calls().size()) {
      return call;
    }
    String name = calls.calls().get(call).name();
    int plain =
        name.endsWith("_c") ? calls.names().indexOf(name.substring(0, name.length() - 2)) : -1;
    return plain >= 0 ? plain : call;
  }

  private List<String> lines(
      Deadlock deadlock, SortedMap<Rank, RankHeader> now, Map<Rank, CallSite> stacks) {
    Stall stall = new Stall(false, STILL, now, Set.of(), stacks);
    RankPlaces places =
        RankPlaces.of(
            now.values(), Optional.of(stall), id -> "MPI_" + calls.names().get(id), surroundings);
    return deadlock.lines(
        rank -> Optional.ofNullable(now.get(rank)).map(places::text).orElse("in MPI"));
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // It is only asked for again, or left beside the run.
    }
  }

  @Override
  public void close() {
    stop();
  }
}
