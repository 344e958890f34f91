package org.reprise.debugger.restore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.reprise.causality.Cut;
import org.reprise.debugger.RankSet;
import org.reprise.debugger.hold.Beginnings;
import org.reprise.debugger.hold.Bell;
import org.reprise.debugger.hold.CallIndex;
import org.reprise.debugger.hold.HeldJob;
import org.reprise.debugger.hold.JobProcesses;
import org.reprise.debugger.hold.RankState;
import org.reprise.debugger.hold.Stop;
import org.reprise.launch.interposer.CallTable;
import org.reprise.launch.mpi.HeldCommand;
import org.reprise.launch.mpi.HeldReplay;
import org.reprise.launch.process.Keeper;
import org.reprise.launch.process.Scratch;
import org.reprise.launch.verdict.Verdict;
import org.reprise.launch.verdict.VerdictText;
import org.reprise.recovery.Assessment;
import org.reprise.recovery.Marks;
import org.reprise.recovery.Period;
import org.reprise.recovery.Plan;
import org.reprise.recovery.RecoveryLine;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.UserError;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RecordedRun;

/**
 * Beginnings at checkpoints: of all ranks those of the greatest recovery line, so that any place is
 * reached soon (Thoai and Volkert 2003). The checkpoints are taken when the first ranks are to
 * begin, in one controlled re-execution of the run. Where they cannot be taken or a restored rank
 * cannot be served, ranks begin at the start, as they would without.
 */
public final class Checkpoints implements Beginnings {
  /** A journey of so much less of the run is worth new ranks. */
  private static final long WORTH_NANOS = 1_000_000_000;

  private static final long LOOK_MILLIS = 100;

  /** How long nobody may move, all being inside MPI, until that is taken for a deadlock. */
  private static final long AT_REST_NANOS = 10_000_000_000L;

  /** So many places of each kind are tried to say how soon they are reached. */
  private static final int TRIED = 30;

  private final HeldCommand command;
  private final IntFunction<CallIndex> calls;
  private final Beginnings otherwise;
  private final Words words;
  private final int ranks;
  private final MarkedCalls marked;
  private final Optional<RankSet> only;
  private Plan plan;
  private final long memory;
  private @Nullable Keeper keeper;
  private @Nullable Scratch kept;
  private @Nullable CheckpointProcesses processes;
  private @Nullable KeptMessages messages;
  private final BitSet thinned = new BitSet();
  private boolean tried;
  private boolean given;
  private boolean whole;

  /** Its numbers are those of marks before some were ended. */
  private boolean isLineOld;

  /** A checkpoint had ended when it was to be restored. */
  private volatile boolean lost;

  /** The numbers of the marks at which the ranks have begun that were started last. */
  private int @Nullable [] line;

  private int[] wanted = new int[0];
  private @Nullable RestoredRanks restored;

  /**
   * What is said meanwhile.
   *
   * @param told gets sentences
   * @param progress gets how far the checkpoints are; an empty text when that is over
   * @param printed gets what restored ranks print
   */
  public record Words(Consumer<String> told, Consumer<String> progress, Consumer<String> printed) {}

  /**
   * Checkpoints that have not been taken yet.
   *
   * @param calls of each rank
   * @param otherwise for ranks that cannot be restored
   * @param memory how many bytes the checkpoints may have; if empty, a quarter of what is free
   * @param only ranks that are replayed alone, as in a recovery unit of its own: what they got from
   *     others is kept, and the others never begin
   */
  public Checkpoints(
      Plan plan,
      IntFunction<CallIndex> calls,
      HeldCommand command,
      Beginnings otherwise,
      OptionalLong memory,
      Optional<RankSet> only,
      Words words) {
    this.only = only;
    this.plan = plan;
    this.memory = memory.orElseGet(CheckpointMemory::standard);
    this.calls = calls;
    this.command = command;
    this.otherwise = otherwise;
    this.words = words;
    ranks = command.recorded().ranks();
    marked = new MarkedCalls(plan, calls, this::isThere);
  }

  private boolean isThere(int rank) {
    return only.isEmpty() || only.get().contains(rank);
  }

  // ---- Taking them ----

  private boolean areThere(Bell bell) {
    if (!tried) {
      tried = true;
      try {
        given = take(bell);
      } catch (IOException e) {
        words.told().accept("no checkpoints: " + e.getMessage());
      } finally {
        if (!given) {
          closeKept();
        }
      }
    }
    return given;
  }

  /** A call that some rank makes and restored ranks are not served, in words. */
  private Optional<String> unserved() {
    RecordedRun run = command.recorded();
    List<CallTable.Call> all = CallTable.ofInterposer().calls();
    for (Rank rank : run.ranksPresent()) {
      for (int call = isThere(rank.number()) ? 0 : all.size(); call < all.size(); call++) {
        if (run.header(rank).callCount(call) > 0 && !all.get(call).isServedWhenRestored()) {
          return Optional.of("rank %d calls MPI_%s".formatted(rank.number(), all.get(call).name()));
        }
      }
    }
    return Optional.empty();
  }

  private boolean take(Bell bell) throws IOException {
    Optional<String> unserved = unserved();
    if (unserved.isPresent()) {
      words
          .told()
          .accept(
              unserved.get()
                  + ": such ranks cannot be restored; going back replays from the start");
      return false;
    }
    Keeper keeping = Keeper.start();
    keeper = keeping;
    Scratch directory = Scratch.create(HeldJob.parent(), "reprise-marks-");
    kept = directory;
    keeping.keep(directory.path());
    marked.write(directory.path());
    int count = marked.count();
    CheckpointProcesses waiting = new CheckpointProcesses(directory.path(), ranks, count, bell);
    processes = waiting;
    words.told().accept("taking checkpoints, in one more execution of the run");
    int dropped = 0;
    long begun = System.nanoTime();
    long looked = begun;
    Optional<String> failure = Optional.empty();
    try (Execution execution = new Execution(directory.path(), bell)) {
      while (execution.isUnderWay() && waiting.refusal().isEmpty()) {
        long rung = bell.rung();
        words.progress().accept("%d of %d checkpoints".formatted(waiting.taken(), count));
        bell.await(rung, LOOK_MILLIS);
        if (System.nanoTime() - looked > WORTH_NANOS) {
          dropped += thin(waiting);
          looked = System.nanoTime();
        }
      }
      failure = waiting.refusal().isPresent() ? Optional.empty() : execution.failure();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      words.progress().accept("");
    }
    dropped += thin(waiting);
    if (waiting.refusal().isPresent()) {
      words
          .told()
          .accept(
              waiting.refusal().get()
                  + ": such ranks cannot be restored; going back replays from the start");
      return false;
    }
    if (failure.isPresent()) {
      words
          .told()
          .accept(
              "no checkpoints: the execution that takes them was another one: " + failure.get());
      return false;
    }
    Marks all = plan.marks();
    plan =
        new Plan(
            plan.policy(),
            all.keeping(
                mark ->
                    !isThere(mark.rank())
                        || waiting.has(mark.rank(), callAt(mark.rank(), mark.position()))),
            plan.log());
    for (int rank = 0; rank < ranks; rank++) {
      if (isThere(rank) && !waiting.has(rank, Stop.FIRST.calls())) {
        words.told().accept("rank %d has no checkpoint at its start".formatted(rank));
        return false;
      }
    }
    messages = KeptMessages.in(directory.path(), ranks);
    words.told().accept(taken(System.nanoTime() - begun, waiting, dropped));
    return true;
  }

  private int countThere() {
    return IntStream.range(0, ranks)
        .filter(this::isThere)
        .map(rank -> plan.marks().count(rank))
        .sum();
  }

  private String taken(long nanos, CheckpointProcesses waiting, int dropped) {
    String text =
        "%d checkpoints taken in %.1f s, with %d MB"
            .formatted(countThere(), nanos / 1e9, waiting.memory() >> 20);
    if (dropped == 0) {
      return plan.boundNanos().isEmpty()
          ? text
          : text
              + "; any place is reached within %.1f s of the run"
                  .formatted(plan.boundNanos().getAsLong() / 1e9);
    }
    // The log of the plan is not that of fewer marks, so its bound does not hold.
    Assessment.Sample sample =
        Assessment.Sample.of(
            plan.marks().timeline(), new Period.OfTime(plan.marks().longestNanos()), TRIED);
    return text
        + "; %d were given up, as all had more than %d MB; places that were tried are reached within %.1f s of the run"
            .formatted(dropped, memory >> 20, Assessment.of(plan, sample, 0).worstNanos() / 1e9);
  }

  /**
   * Gives up checkpoints while all have too much memory: of an index whose neighbours are closest
   * to each other, the oldest of these, and never those at the start; how many. So what is left
   * stays as even as it can be.
   */
  private int thin(CheckpointProcesses waiting) {
    int dropped = 0;
    while (waiting.memory() > memory) {
      int given = drop(waiting);
      if (given == 0) {
        return dropped;
      }
      dropped += given;
    }
    return dropped;
  }

  private int drop(CheckpointProcesses waiting) {
    Marks all = plan.marks();
    long[] at = IntStream.rangeClosed(0, all.lastIndex()).mapToLong(this::reachedAt).toArray();
    int[] taken =
        IntStream.rangeClosed(1, all.lastIndex())
            .filter(index -> !thinned.get(index) && isTaken(waiting, index))
            .toArray();
    int chosen = 0;
    long least = Long.MAX_VALUE;
    for (int index : taken) {
      int next = thinned.nextClearBit(index + 1);
      long end = next > all.lastIndex() ? plan.marks().timeline().durationNanos() : at[next];
      long gap = end - at[thinned.previousClearBit(index - 1)];
      if (gap < least) {
        least = gap;
        chosen = index;
      }
    }
    int dropped = 0;
    thinned.set(chosen, chosen > 0);
    for (int rank = 0; chosen > 0 && rank < ranks; rank++) {
      int number = all.withIndex(rank, chosen);
      dropped += number > 0 && waiting.drop(rank, marked.call(all, rank, number)) ? 1 : 0;
    }
    return dropped;
  }

  private boolean isTaken(CheckpointProcesses waiting, int index) {
    return IntStream.range(0, ranks)
        .anyMatch(
            rank -> {
              int number = plan.marks().withIndex(rank, index);
              return number > 0 && waiting.has(rank, marked.call(plan.marks(), rank, number));
            });
  }

  /** When the first rank came to its mark of an index. */
  private long reachedAt(int index) {
    Marks all = plan.marks();
    return IntStream.range(0, ranks)
        .filter(rank -> all.withIndex(rank, index) >= 0)
        .mapToLong(rank -> at(rank, all.position(rank, all.withIndex(rank, index))))
        .min()
        .orElse(0);
  }

  private long callAt(int rank, int position) {
    return Math.max(calls.apply(rank).callsBefore(position), Stop.FIRST.calls());
  }

  /** The controlled re-execution: nobody is held, and what it prints is of no interest. */
  private final class Execution implements AutoCloseable {
    private final HeldJob job;
    private List<RankState> states = List.of();
    private long movedAt = System.nanoTime();

    Execution(Path directory, Bell bell) {
      job =
          HeldJob.start(
              control -> JobProcesses.of(command.startWithCheckpoints(control, directory, _ -> {})),
              Collections.nCopies(ranks, Stop.NEVER),
              bell);
    }

    /** A run that ended in a deadlock gets there, and no further; one that was cut off, further. */
    boolean isUnderWay() {
      List<RankState> now = IntStream.range(0, ranks).mapToObj(job::state).toList();
      boolean isInside = now.stream().allMatch(state -> state.kind() != RankState.Kind.RUNNING);
      if (!now.equals(states) || !isInside || now.stream().anyMatch(this::isStarting)) {
        states = now;
        movedAt = System.nanoTime();
      }
      return job.isAlive()
          && System.nanoTime() - movedAt < AT_REST_NANOS
          && !IntStream.range(0, ranks).allMatch(rank -> isBehindTheEnd(rank, now.get(rank)));
    }

    /** Whether a rank that was cut off is behind the last call of its events. */
    private boolean isBehindTheEnd(int rank, RankState state) {
      return switch (state.kind()) {
        case STARTING, HELD -> false;
        case RUNNING, INSIDE -> isCutOff(rank) && state.calls() >= calls.apply(rank).calls();
        case ENDED, ABSENT -> true;
      };
    }

    private boolean isCutOff(int rank) {
      return command.recorded().header(new Rank(rank)).state() == Wire.State.RUNNING;
    }

    private boolean isStarting(RankState state) {
      return state.kind() == RankState.Kind.STARTING;
    }

    /** What it did otherwise than the run, in words. */
    Optional<String> failure() {
      return job.isAlive()
          ? Optional.empty()
          : job.processes()
              .replay()
              .map(HeldReplay::verdict)
              .filter(Checkpoints::isAnother)
              .map(verdict -> VerdictText.lines(verdict).getFirst());
    }

    @Override
    public void close() {
      job.close();
    }
  }

  private static boolean isAnother(Verdict verdict) {
    return verdict instanceof Verdict.Diverged || verdict instanceof Verdict.EndedEarly;
  }

  // ---- Lines ----

  private Cut cut(List<Stop> stops) {
    return new Cut(
        IntStream.range(0, ranks)
            .map(
                rank -> {
                  CallIndex index = calls.apply(rank);
                  Stop stop = stops.get(rank);
                  return stop.equals(Stop.NEVER)
                      ? 2 * index.events()
                      : Stop.moment(index, stop.calls(), stop.inside());
                })
            .toArray());
  }

  @Override
  public List<Stop> places(List<Stop> near, List<Stop> until) {
    // Who wants to see the whole run gets a replay, with its verdict.
    whole = only.isEmpty() && near.stream().allMatch(stop -> stop.calls() <= Stop.FIRST.calls());
    if (whole || !areThere(new Bell()) || !areLeft()) {
      requireAll();
      return otherwise.places(near, until);
    }
    Cut here = cut(near);
    int[] most = new int[ranks];
    Arrays.setAll(most, rank -> lastBefore(rank, near.get(rank), here));
    RecoveryLine found = RecoveryLine.greatest(plan, cut(until), most);
    wanted = IntStream.range(0, ranks).map(found::number).toArray();
    return IntStream.range(0, ranks)
        .mapToObj(rank -> new Stop(marked.call(plan.marks(), rank, wanted[rank]), false))
        .toList();
  }

  /** Whoever asked for some ranks does not get them all instead. */
  private void requireAll() {
    if (only.isPresent()) {
      throw new UserError(
          only.get().text() + " cannot be replayed alone",
          "their checkpoints could not be taken, or have ended, as was said",
          "leave out --only: then all ranks are replayed from the start");
    }
  }

  /** Forgets those that somebody has killed; false if too many are. */
  private boolean areLeft() {
    CheckpointProcesses waiting = processes;
    if (waiting == null) {
      return false;
    }
    Marks before = plan.marks();
    Marks left =
        before.keeping(
            mark ->
                !isThere(mark.rank())
                    || waiting.has(mark.rank(), callAt(mark.rank(), mark.position())));
    boolean atStart =
        IntStream.range(0, ranks)
            .filter(this::isThere)
            .allMatch(rank -> waiting.has(rank, Stop.FIRST.calls()));
    if (!atStart) {
      giveUp("a checkpoint at the start was ended");
    } else if (left.count() < before.count()) {
      words.told().accept("%d checkpoints were ended".formatted(before.count() - left.count()));
      plan = new Plan(plan.policy(), left, plan.log());
      isLineOld = true;
    }
    return atStart;
  }

  private void giveUp(String why) {
    words.told().accept(why + "; going back replays from the start");
    given = false;
    restored = null;
    line = null;
    closeKept();
  }

  private int lastBefore(int rank, Stop near, Cut here) {
    int number = plan.marks().last(rank, here.returned(rank));
    while (number > 0 && marked.call(plan.marks(), rank, number) > near.calls()) {
      number--;
    }
    return number;
  }

  @Override
  public boolean lasts(List<Stop> until) {
    int[] begun = line;
    if (begun == null || isLineOld) {
      return begun == null;
    }
    RecoveryLine needed = RecoveryLine.greatest(plan, cut(until), begun);
    return IntStream.range(0, ranks).allMatch(rank -> needed.number(rank) == begun[rank]);
  }

  @Override
  public boolean isBetterThan(List<RankState> here, List<Stop> stops) {
    if (line == null) {
      return false;
    }
    List<Stop> places = places(stops, stops);
    long saved = 0;
    for (int rank = 0; rank < ranks; rank++) {
      long from = here.get(rank).calls();
      long to = places.get(rank).calls();
      if (to < from) {
        return false;
      }
      CallIndex index = calls.apply(rank);
      saved = Math.max(saved, at(rank, index.eventAt(to)) - at(rank, index.eventAt(from)));
    }
    return saved > WORTH_NANOS;
  }

  private long at(int rank, int event) {
    return plan.marks().timeline().at(rank, Math.min(event, plan.marks().timeline().end(rank)));
  }

  // ---- Beginning at one ----

  @Override
  public HeldJob begin(List<Stop> places, Bell bell) {
    CheckpointProcesses waiting = processes;
    KeptMessages log = messages;
    restored = null;
    line = null;
    if (whole || !given || waiting == null || log == null) {
      return otherwise.begin(places, bell);
    }
    line = wanted.clone();
    isLineOld = false;
    lost = false;
    long[] marks =
        IntStream.range(0, ranks)
            .mapToLong(rank -> isThere(rank) ? places.get(rank).calls() : Hub.ABSENT)
            .toArray();
    return HeldJob.start(
        control -> {
          try {
            Hub hub = new Hub(control, marks, log, bell, words.printed());
            RestoredRanks ranksOfHub = new RestoredRanks(hub);
            restored = ranksOfHub;
            for (int rank = 0; rank < ranks && !lost; rank++) {
              lost = isThere(rank) && !waiting.restore(rank, marks[rank], control);
            }
            return ranksOfHub;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        places,
        bell);
  }

  @Override
  public boolean hasFailed() {
    RestoredRanks last = restored;
    Optional<String> refusal = last == null ? Optional.empty() : last.hub().refusal();
    Optional<TraceError> damage = last == null ? Optional.empty() : last.hub().damage();
    refusal.ifPresent(this::giveUp);
    if (damage.isPresent()) {
      throw damage.get();
    }
    boolean others = lost;
    lost = false;
    return refusal.isPresent() || others;
  }

  private void closeKept() {
    CheckpointProcesses waiting = processes;
    if (waiting != null) {
      waiting.close();
      processes = null;
    }
    Keeper keeping = keeper;
    try {
      if (kept != null) {
        kept.close();
      }
      if (keeping != null) {
        keeping.close();
      }
    } catch (IOException e) {
      if (keeping != null) {
        keeping.takeOver(); // a rank that is just being ended still writes there
      }
    }
    kept = null;
    keeper = null;
  }

  @Override
  public void close() {
    closeKept();
    otherwise.close();
  }
}
