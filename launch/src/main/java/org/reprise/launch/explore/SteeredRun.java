package org.reprise.launch.explore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.reprise.exploration.Decision;
import org.reprise.exploration.Execution;
import org.reprise.exploration.Flip;
import org.reprise.exploration.Steering;
import org.reprise.launch.Engine;
import org.reprise.launch.process.Scratch;
import org.reprise.trace.UserError;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/**
 * Runs a program until its receives take what somebody chooses for them: each run has all that was
 * chosen so far, and is asked for the next choice. That needs nothing of an engine but plans, so it
 * is the same on all of them, and at a choice all messages are known that could be there.
 */
public final class SteeredRun implements AutoCloseable {
  /**
   * What came of it.
   *
   * @param run the last one
   * @param runs how many were made
   */
  public record Steered(
      RecordedRun run,
      Execution execution,
      ExecutionOutcome outcome,
      int exitStatus,
      boolean interrupted,
      long runs) {
    public List<RankPlan> orders() {
      return execution.orders();
    }
  }

  private final Scratch scratch;
  private final ProgramRunner runner;
  private final Function<RecordedRun, Steering.Guide> guides;
  private final LongConsumer progress;

  /**
   * A steered run.
   *
   * @param guides who chooses, for a run that shows the choice
   * @param progress called before each run with its number
   */
  public SteeredRun(
      RunStore store,
      Function<Consumer<String>, Engine> engines,
      Optional<Path> mpicc,
      Duration stallLimit,
      Function<RecordedRun, Steering.Guide> guides,
      LongConsumer progress) {
    this.guides = guides;
    this.progress = progress;
    try {
      scratch = Scratch.create(store.home(), ".steering-");
    } catch (IOException e) {
      throw new UserError(
          "there is no room for the runs in between",
          String.valueOf(e.getMessage()),
          "make room in " + store.home());
    }
    runner =
        new ProgramRunner(
            scratch.path(),
            engines,
            new ProgramRunner.Settings(
                mpicc,
                stallLimit,
                OutputJudge.of(Optional.empty(), Optional.empty()),
                Optional.empty(),
                0));
  }

  /** Runs a command, from its first choice on. */
  public Steered record(List<String> command, OptionalLong jitterSeed) {
    progress.accept(1);
    ProgramRunner.Executed first = runner.record(command, jitterSeed, OptionalInt.of(1));
    if (first.recording().summary().isEmpty()) {
      throw new UserError(
          "there is nothing to record",
          "no rank of the command left a trace",
          "record a program that calls MPI_Init: reprise record mpirun -n 4 ./program");
    }
    return steer(first.run(), first, Set.of());
  }

  /** Runs the command of a run by a plan, and behind it from choice to choice. */
  public Steered follow(RecordedRun base, List<RankPlan> plan, Set<Decision> fixed) {
    progress.accept(1);
    return steer(base, runner.follow(base, plan), fixed);
  }

  private Steered steer(RecordedRun base, ProgramRunner.Executed first, Set<Decision> fixed) {
    Steering steering = new Steering(fixed);
    ProgramRunner.Executed executed = first;
    for (long runs = 1; ; runs++) {
      if (!executed.followed()) {
        throw new UserError(
            "the program did something else than in the run before",
            "a choice that was made was not met again",
            "it depends on more than its messages: files that runs leave, addresses, threads");
      }
      RecordedRun run = executed.run();
      Execution execution = Execution.of(TracedRun.traces(run), TracedRun.numbering(run));
      Optional<Flip> next =
          executed.isInterrupted() ? Optional.empty() : steering.next(execution, guides.apply(run));
      if (next.isEmpty()) {
        return new Steered(
            run,
            execution,
            executed.outcome(),
            executed.recording().exitStatus(),
            executed.isInterrupted(),
            runs);
      }
      progress.accept(runs + 1);
      if (!run.directory().path().equals(base.directory().path())) {
        executed.remove();
      }
      executed = runner.follow(base, next.get().plan());
    }
  }

  /** Where the output of the last run is: what it printed, by stream or by rank. */
  public Path output() {
    return runner.output();
  }

  /** Keeps the run that it came to. */
  public RunDirectory keep(Steered steered, RunStore store, String program) {
    return OutcomeClasses.take(store, program, steered.run().directory());
  }

  @Override
  public void close() {
    runner.close();
    try {
      scratch.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
