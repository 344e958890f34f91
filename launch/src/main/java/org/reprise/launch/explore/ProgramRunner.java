package org.reprise.launch.explore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.reprise.exploration.CallNumbering;
import org.reprise.exploration.Exploration;
import org.reprise.exploration.RankTrace;
import org.reprise.launch.Engine;
import org.reprise.launch.run.Attempt;
import org.reprise.launch.run.FollowRequest;
import org.reprise.launch.run.Followed;
import org.reprise.launch.run.RecordRequest;
import org.reprise.launch.run.Recording;
import org.reprise.launch.run.RunConditions;
import org.reprise.launch.run.RunEnd;
import org.reprise.launch.run.RunOutput;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunStore;

/**
 * Runs a program again and again where nobody watches: recorded with its events, what it prints
 * kept in files, and says what each run came to. Several of them may run at once, each in a place
 * of its own.
 */
final class ProgramRunner implements AutoCloseable {
  private static final String OUTPUT = "output";
  private static final int ERRORS_SHOWN = 12;

  private final Path place;
  private final RunStore runs;
  private final Settings settings;
  private final Engine engine;

  /**
   * What is the same for all runs.
   *
   * @param mpicc the compiler of the MPI in use, if the user names it
   * @param stallLimit how long no rank may get on
   * @param privateDirectory where the program's directory is, of which each run gets a copy
   * @param pollsTold in the events, so many failures in a row of the same poll say what it asked
   */
  record Settings(
      Optional<Path> mpicc,
      Duration stallLimit,
      OutputJudge judge,
      Optional<Path> privateDirectory,
      int pollsTold) {}

  /**
   * What came of a run.
   *
   * @param cut if ranks were ended before they had done what they could
   */
  record Executed(Attempt attempt, ExecutionOutcome outcome, Optional<Exploration.CutShort> cut) {
    /** Its run need not be on disk. */
    Recording recording() {
      return attempt.followed().recording();
    }

    RecordedRun run() {
      return attempt.run();
    }

    Followed.PlanUse use() {
      return attempt.followed().use();
    }

    /** Whether no rank could go on, so that it was ended. */
    boolean stalled() {
      return attempt.followed().stalled();
    }

    /** What its ranks did. */
    List<RankTrace> traces() {
      return TracedRun.traces(attempt.run(), attempt.records());
    }

    /** What the numbers of its calls mean. */
    CallNumbering numbering() {
      return TracedRun.numbering(attempt.run(), attempt.records());
    }

    boolean isInterrupted() {
      return recording().description().ending() instanceof Ending.Interrupted && !stalled();
    }

    /** Whether it did what the plan said, as far as it could before somebody ended it. */
    boolean followed() {
      return use() instanceof Followed.PlanUse.Whole || cut.isPresent();
    }

    /** Removes what it left. */
    void remove() {
      attempt.remove();
    }
  }

  /**
   * A runner.
   *
   * @param place an existing directory for what its runs leave
   * @param engines gives an engine that reports to this; what it saw is in the recordings, too
   */
  ProgramRunner(Path place, Function<Consumer<String>, Engine> engines, Settings settings) {
    this.place = place;
    this.settings = settings;
    runs = new RunStore(place.resolve("runs"));
    engine = engines.apply(_ -> {});
  }

  /**
   * Runs a command for the first time.
   *
   * @param eventFrames full events, each with so many frames of the stack; empty: none
   */
  Executed record(List<String> command, OptionalLong jitterSeed, OptionalInt eventFrames) {
    emptyOutput();
    AtomicBoolean stalled = new AtomicBoolean();
    RunConditions conditions = conditions();
    RecordRequest request =
        new RecordRequest(
                command,
                settings.mpicc,
                jitterSeed,
                true,
                eventFrames,
                conditions,
                Optional.of(
                    new RecordRequest.Stalled(settings.stallLimit, () -> stalled.set(true))))
            .withOnDeadlock(RecordRequest.OnDeadlock.STOP);
    Recording recording = engine.record(runs, request, Recording::exitStatus);
    boolean ended = stalled.get() || recording.end().isDeadlock();
    return onDisk(new Followed(recording, new Followed.PlanUse.Whole(), ended));
  }

  /** Runs the command of a run by a plan; a run on disk comes of it. */
  Executed follow(RecordedRun base, List<RankPlan> plan) {
    emptyOutput();
    return onDisk(engine.follow(runs, request(base, plan), Recording::exitStatus));
  }

  /** The same for one of many: it is a run on disk when it is asked for that. */
  Executed attempt(RecordedRun base, List<RankPlan> plan) {
    return executed(engine.attempt(runs, request(base, plan)));
  }

  private FollowRequest request(RecordedRun base, List<RankPlan> plan) {
    return new FollowRequest(
        base,
        TracedRun.byRank(plan),
        Optional.empty(),
        "run",
        settings.mpicc,
        OptionalLong.empty(),
        settings.stallLimit,
        OptionalInt.of(1),
        true,
        conditions());
  }

  private Executed onDisk(Followed followed) {
    return executed(new Attempt.OnDisk(followed, RunOutput.read(output())));
  }

  private Executed executed(Attempt attempt) {
    Recording recording = attempt.followed().recording();
    RunDescription run = recording.description();
    boolean stalled = attempt.followed().stalled();
    return new Executed(
        attempt,
        outcome(recording, stalled, attempt.output()),
        isCut(run, stalled) && !recording.atRest()
            ? Optional.of(new Exploration.CutShort(culprit(run)))
            : Optional.empty());
  }

  /** Ends the attempt under way, from another thread. */
  void interrupt() {
    engine.interrupt();
  }

  private void emptyOutput() {
    try {
      PrivateFiles.createEmptied(output());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RunConditions conditions() {
    try {
      Optional<Path> directory = Optional.empty();
      if (settings.privateDirectory.isPresent()) {
        directory = Optional.of(PrivateFiles.createEmptied(place.resolve("directory")));
        DirectoryCopy.make(settings.privateDirectory.get(), directory.get());
      }
      return RunConditions.ofSearch(output(), directory, settings.pollsTold);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ExecutionOutcome outcome(Recording recording, boolean stalled, RunOutput output) {
    RunDescription run = recording.description();
    Optional<RunEnd.Failure> failure = recording.end().failure();
    Optional<RunDescription.RankEnd> aborted =
        run.rankEnds().stream().filter(end -> end.state() == Wire.State.ABORTED).findFirst();
    int status =
        switch (run.ending()) {
          case Ending.Exited(int code) -> code;
          case Ending.Killed(int signal) -> signal;
          case Ending.Interrupted(int code) -> code;
          case Ending.Unfinished() -> 1;
        };
    ExecutionOutcome.Kind kind;
    if (recording.end().isDeadlock()) {
      kind = ExecutionOutcome.Kind.DEADLOCK;
    } else if (stalled) {
      kind = ExecutionOutcome.Kind.STALLED;
    } else if (aborted.isPresent()) {
      boolean threw = failure.filter(RunEnd.Failure.EXCEPTION::equals).isPresent();
      kind = threw ? ExecutionOutcome.Kind.EXCEPTION : ExecutionOutcome.Kind.ABORT;
      status = aborted.get().exitCode().orElse(status);
    } else if (run.ending() instanceof Ending.Killed) {
      kind = ExecutionOutcome.Kind.SIGNAL;
    } else {
      kind = status == 0 ? ExecutionOutcome.Kind.PASSED : ExecutionOutcome.Kind.FAILED;
    }
    return settings.judge.judge(kind, stalled ? 0 : status, output, text(recording.end()), place);
  }

  /** What went wrong, without the rest of a stack. */
  private static String text(RunEnd end) {
    return end.lines().stream()
        .map(text -> String.join("\n", text.lines().limit(2).toList()))
        .reduce((a, b) -> a + "\n" + b)
        .orElse("");
  }

  /** Whether ranks were ended before they came to their own ends, and not for a deadlock. */
  private static boolean isCut(RunDescription run, boolean stalled) {
    return !stalled
        && (run.rankEnds().size() < run.ranks()
            || run.rankEnds().stream()
                .anyMatch(
                    end -> end.state() == Wire.State.RUNNING || end.state() == Wire.State.ABORTED));
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

  /** The directory with what the last run printed. */
  Path output() {
    return place.resolve(OUTPUT);
  }

  /** The first lines that the last run printed to its standard errors. */
  List<String> errors() {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(output())) {
      for (Path file : files.filter(each -> each.endsWith("err")).toList()) {
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.isBlank())
            .limit(ERRORS_SHOWN)
            .forEach(lines::add);
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    engine.close();
  }
}
