package org.reprise.launch.explore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.reprise.exploration.Exploration;
import org.reprise.exploration.RankTrace;
import org.reprise.launch.Engine;
import org.reprise.launch.process.Signals;
import org.reprise.launch.run.FollowRequest;
import org.reprise.launch.run.Followed;
import org.reprise.launch.run.RecordRequest;
import org.reprise.launch.run.Recording;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;
import org.reprise.trace.text.Words;

/**
 * Runs a program in every order of its messages, one after the other, on whichever engine: records
 * it once, and follows the plans that an exploration makes of what it has seen.
 */
public final class Explorer {
  /** Told after each execution how far it is. */
  public interface Progress {
    void report(long executions, int classes, int open, int outcomes);
  }

  private static final String PLACE = ".explorations";

  private final RunStore store;
  private final Function<Consumer<String>, Engine> engines;
  private final Progress progress;

  /**
   * An explorer.
   *
   * @param store where the runs that are kept go
   * @param engines gives an engine that tells this of what goes wrong
   */
  public Explorer(RunStore store, Function<Consumer<String>, Engine> engines, Progress progress) {
    this.store = store;
    this.engines = engines;
    this.progress = progress;
  }

  /** The explorations that can be continued, the latest last. */
  public static List<String> unfinished(RunStore store) {
    Path place = store.home().resolve(PLACE);
    if (!Files.isDirectory(place)) {
      return List.of();
    }
    try (var entries = Files.list(place)) {
      return entries
          .filter(entry -> Files.isRegularFile(entry.resolve("state")))
          .sorted((a, b) -> modified(a).compareTo(modified(b)))
          .map(entry -> entry.getFileName().toString())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static java.nio.file.attribute.FileTime modified(Path place) {
    try {
      return Files.getLastModifiedTime(place.resolve("state"));
    } catch (IOException e) {
      return java.nio.file.attribute.FileTime.fromMillis(0);
    }
  }

  /** The command of an exploration that can be continued. */
  public static List<String> command(RunStore store, String name) {
    return base(store.home().resolve(PLACE).resolve(name)).description().command();
  }

  private static RecordedRun base(Path place) {
    return RecordedRun.open(new RunDirectory(place.resolve("base")));
  }

  /** Explores a program from the beginning. */
  public ExplorationReport explore(ExplorationRequest request) {
    try {
      Path parent = PrivateFiles.createDirectories(store.home().resolve(PLACE));
      int number = 1;
      while (Files.exists(parent.resolve(request.program() + "-" + number))) {
        number++;
      }
      Path place = PrivateFiles.createDirectory(parent.resolve(request.program() + "-" + number));
      boolean begun = false;
      try (Search search = new Search(request, place)) {
        begun = search.begin();
        return search.run();
      } finally {
        if (!begun) {
          PrivateFiles.removeTree(place);
        }
      }
    } catch (IOException e) {
      throw new UserError(
          "there is no place for an exploration",
          String.valueOf(e.getMessage()),
          "make room in " + store.home());
    }
  }

  /** Goes on with an exploration that was interrupted or killed. */
  public ExplorationReport resume(ExplorationRequest request, String name) {
    try (Search search = new Search(request, store.home().resolve(PLACE).resolve(name))) {
      search.restore();
      return search.run();
    }
  }

  /** One search under way. */
  private final class Search implements AutoCloseable {
    private final ExplorationRequest request;
    private final Path place;
    private final RunStore runs;
    private final Exploration exploration;
    private final OutcomeClasses outcomes;
    private final SearchState state;
    private final List<String> trouble = new ArrayList<>();
    private final Engine engine;
    private final long start = System.nanoTime();
    private Optional<RecordedRun> base = Optional.empty();
    private volatile boolean interrupted;
    private final AtomicBoolean firstStalled = new AtomicBoolean();
    private final Map<Doubt, Integer> doubts = new EnumMap<>(Doubt.class);
    private long unfollowed;
    private Optional<String> firstUnfollowed = Optional.empty();

    Search(ExplorationRequest request, Path place) {
      this.request = request;
      this.place = place;
      runs = new RunStore(place.resolve("runs"));
      Random random = new Random(request.seed());
      exploration = new Exploration(new Exploration.Request(request.bound(), random::nextInt));
      outcomes = new OutcomeClasses(store, request.program(), request.keep());
      engine = engines.apply(trouble::add);
      state = SearchState.open(place);
    }

    /** The first run, which all plans are made for; false if there is nothing to explore. */
    boolean begin() throws IOException {
      Path output = output();
      Recording recording =
          engine.record(
              runs,
              new RecordRequest(
                  request.command(),
                  request.mpicc(),
                  OptionalLong.empty(),
                  true,
                  OptionalInt.of(1),
                  Optional.of(output),
                  Optional.of(
                      new RecordRequest.Stalled(
                          request.stallLimit(), () -> firstStalled.set(true)))),
              ended -> ended.exitStatus());
      if (recording.summary().isEmpty()) {
        throw new UserError(
            "there is nothing to explore",
            "no rank of the command left a trace",
            "explore a program that calls MPI_Init: reprise explore mpirun -n 4 ./program");
      }
      Path first = place.resolve("base");
      Files.move(recording.run().path(), first);
      RecordedRun recorded = base(place);
      base = Optional.of(recorded);
      RunDirectory copy = copy(recorded.directory());
      boolean deadlock =
          recorded.description().mpi().family().ranksShareAProcess()
              && recording.exitStatus() == DEADLOCK;
      add(Optional.empty(), RecordedRun.open(copy), firstStalled.get() || deadlock, output);
      return true;
    }

    void restore() {
      base = Optional.of(base(place));
      SearchState.restore(place, exploration, outcomes, store.home()).forEach(this::doubt);
    }

    /** The first run stays as the base of all plans; what is kept of it for the user is a copy. */
    private RunDirectory copy(RunDirectory of) throws IOException {
      RunDirectory copy = runs.create("first");
      try (var files = Files.list(of.path())) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.copy(
              file,
              copy.path().resolve(file.getFileName()),
              java.nio.file.StandardCopyOption.COPY_ATTRIBUTES,
              java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
      }
      return copy;
    }

    private Path output() throws IOException {
      Path output = place.resolve("output");
      if (Files.exists(output)) {
        PrivateFiles.removeTree(output);
      }
      return PrivateFiles.createDirectory(output);
    }

    ExplorationReport run() {
      // Between two executions nobody else listens; during one, its job does.
      try (Signals _ = Signals.take(List.of("INT", "TERM", "HUP"), _ -> interrupted = true)) {
        while (!isOver()) {
          Optional<Exploration.Planned> plan = exploration.next();
          if (plan.isEmpty()) {
            break;
          }
          follow(plan.get());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (isExhausted()) {
        removeTree(place);
      }
      return report(isComplete());
    }

    private boolean isOver() {
      boolean enough =
          request.max().isPresent() && exploration.executions() >= request.max().getAsLong();
      boolean late =
          request.time().isPresent() && System.nanoTime() - start > request.time().get().toNanos();
      boolean found = request.stopAtFirst() && outcomes.anyFailure();
      return interrupted || enough || late || found;
    }

    private void follow(Exploration.Planned plan) throws IOException {
      Path output = output();
      trouble.clear();
      Followed followed =
          engine.follow(
              runs,
              new FollowRequest(
                  base.orElseThrow(),
                  TracedRun.byRank(plan.ranks()),
                  Optional.empty(),
                  "run",
                  request.mpicc(),
                  OptionalLong.empty(),
                  request.stallLimit(),
                  OptionalInt.of(1),
                  true,
                  Optional.of(output)),
              ended -> ended.exitStatus());
      Recording recording = followed.recording();
      if (recording.description().ending() instanceof Ending.Interrupted) {
        interrupted = true;
        removeTree(recording.run().path());
        return;
      }
      boolean left = !(followed.use() instanceof Followed.PlanUse.Whole);
      boolean cut = isCut(recording.description(), followed.stalled());
      if (left && !cut) {
        unfollowed++;
        if (firstUnfollowed.isEmpty()) {
          firstUnfollowed = Optional.of(whoLeft(followed.use()));
        }
      }
      if (left && followed.stalled()) {
        // A plan that the program cannot follow hangs; that says nothing of the program.
        removeTree(recording.run().path());
        exploration.giveUp(plan);
        return;
      }
      add(Optional.of(plan), RecordedRun.open(recording.run()), followed.stalled(), output);
    }

    private static String whoLeft(Followed.PlanUse use) {
      return switch (use) {
        case Followed.PlanUse.Left(var rank, _) -> rank + " did something else than before";
        case Followed.PlanUse.Unused(var ranks) -> ranks.getFirst() + " did not get so far";
        case Followed.PlanUse.Whole() -> "nobody";
      };
    }

    private void add(
        Optional<Exploration.Planned> plan, RecordedRun run, boolean stalled, Path output) {
      RunDescription description = run.description();
      Optional<Exploration.CutShort> cut =
          isCut(description, stalled)
              ? Optional.of(new Exploration.CutShort(culprit(description)))
              : Optional.empty();
      List<RankTrace> traces = TracedRun.traces(run);
      Exploration.Added added = exploration.add(plan, traces, cut, TracedRun.numbering(run));
      ExecutionOutcome outcome = outcome(description, stalled, output);
      long events = traces.stream().mapToLong(trace -> trace.events().size()).sum();
      List<Doubt> left = doubts(cut.isPresent(), outcome);
      left.forEach(this::doubt);
      if (added instanceof Exploration.Added.Fresh(var orders, var flips)) {
        outcomes.add(outcome, run.directory(), events);
        state.fresh(orders, flips, outcomes.counted(outcome), left);
      }
      if (Files.exists(run.directory().path())) {
        removeTree(run.directory().path());
      }
      progress.report(
          exploration.executions(), exploration.classes(), exploration.open(), outcomes.size());
    }

    private List<Doubt> doubts(boolean cut, ExecutionOutcome outcome) {
      List<Doubt> left = new ArrayList<>();
      if (outcome.kind() == ExecutionOutcome.Kind.STALLED) {
        left.add(Doubt.STALLED);
      } else if (cut) {
        left.add(Doubt.CUT_SHORT);
      }
      if (exploration.isUncertain()) {
        left.add(Doubt.UNCERTAIN);
      }
      return left;
    }

    private void doubt(Doubt doubt) {
      doubts.merge(doubt, 1, Integer::sum);
    }

    private ExecutionOutcome outcome(RunDescription run, boolean stalled, Path output) {
      boolean embedded = run.mpi().family().ranksShareAProcess();
      Optional<RunDescription.RankEnd> aborted =
          run.rankEnds().stream().filter(end -> end.state() == Wire.State.ABORTED).findFirst();
      int status =
          switch (run.ending()) {
            case Ending.Exited(int code) -> code;
            case Ending.Killed(int signal) -> signal;
            case Ending.Interrupted(int code) -> code;
            case Ending.Unfinished() -> 1;
          };
      boolean deadlock = embedded && (stalled || isDeadlock(status, aborted));
      ExecutionOutcome.Kind kind;
      if (deadlock) {
        kind = ExecutionOutcome.Kind.DEADLOCK;
      } else if (stalled) {
        kind = ExecutionOutcome.Kind.STALLED;
      } else if (aborted.isPresent()) {
        boolean threw = embedded && trouble.stream().noneMatch(line -> line.contains("MPI_Abort"));
        kind = threw ? ExecutionOutcome.Kind.EXCEPTION : ExecutionOutcome.Kind.ABORT;
        status = aborted.get().exitCode().orElse(status);
      } else if (run.ending() instanceof Ending.Killed) {
        kind = ExecutionOutcome.Kind.SIGNAL;
      } else {
        kind = status == 0 ? ExecutionOutcome.Kind.PASSED : ExecutionOutcome.Kind.FAILED;
      }
      return request
          .judge()
          .judge(kind, deadlock || stalled ? 0 : status, output, embedded ? troubleLine() : "");
    }

    private static boolean isDeadlock(int status, Optional<RunDescription.RankEnd> aborted) {
      return status == DEADLOCK && aborted.isEmpty();
    }

    /** What went wrong, without the rest of a stack. */
    private String troubleLine() {
      return trouble.stream()
          .filter(text -> !text.startsWith("threads that"))
          .map(text -> String.join("\n", text.lines().limit(2).toList()))
          .reduce((a, b) -> a + "\n" + b)
          .orElse("");
    }

    /** Whether ranks were ended before they had done what they could. */
    private static boolean isCut(RunDescription run, boolean stalled) {
      boolean deadlock =
          stalled
              || run.mpi().family().ranksShareAProcess()
                  && run.ending() instanceof Ending.Exited(int code)
                  && code == DEADLOCK;
      return !deadlock
          && (run.rankEnds().size() < run.ranks()
              || run.rankEnds().stream()
                  .anyMatch(
                      end ->
                          end.state() == Wire.State.RUNNING || end.state() == Wire.State.ABORTED));
    }

    /** The rank that ended the others, if there is only one that could have. */
    private static OptionalInt culprit(RunDescription run) {
      List<RunDescription.RankEnd> suspects =
          run.rankEnds().stream()
              .filter(
                  end ->
                      end.state() == Wire.State.ABORTED
                          || end.state() == Wire.State.EXITED && end.exitCode().orElse(0) != 0)
              .toList();
      return suspects.size() == 1
          ? OptionalInt.of(suspects.getFirst().rank().number())
          : OptionalInt.empty();
    }

    /** Whether there is nothing left that a search which goes on could try. */
    private boolean isExhausted() {
      return !interrupted
          && exploration.open() == 0
          && unfollowed == 0
          && exploration.notFollowed() == 0;
    }

    private boolean isComplete() {
      return isExhausted() && exploration.isComplete() && doubts.isEmpty();
    }

    private ExplorationReport report(boolean complete) {
      List<String> sentences = new ArrayList<>();
      if (unfollowed > 0 || exploration.notFollowed() > 0) {
        sentences.add(
            Words.count(Math.max(unfollowed, exploration.notFollowed()), "run")
                + " did something else than planned (the first: "
                + firstUnfollowed.orElse("an outcome was another")
                + "): the program depends on more than its messages");
      }
      doubts.forEach((doubt, runs) -> sentences.add(doubt.sentence(runs)));
      if (exploration.leavesPolls()) {
        sentences.add("polls and calls that choose a request were answered as it happened");
      }
      return new ExplorationReport(
          base.orElseThrow().ranks(),
          exploration.executions(),
          exploration.classes(),
          exploration.redundant(),
          Math.max(unfollowed, exploration.notFollowed()),
          exploration.open(),
          complete,
          request.bound(),
          sentences,
          Duration.ofNanos(System.nanoTime() - start),
          outcomes.sorted(),
          isExhausted() ? Optional.empty() : Optional.of(place.getFileName().toString()),
          interrupted);
    }

    private static void removeTree(Path tree) {
      try {
        PrivateFiles.removeTree(tree);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      state.close();
      engine.close();
    }
  }

  /** The exit status of a program of the embedded engine whose ranks wait for each other. */
  private static final int DEADLOCK = 68;
}
