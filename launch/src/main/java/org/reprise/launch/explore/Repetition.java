package org.reprise.launch.explore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.reprise.launch.Engine;
import org.reprise.launch.process.Scratch;
import org.reprise.launch.process.Signals;
import org.reprise.trace.UserError;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** Records a program again and again until it fails, and keeps that run alone. */
public final class Repetition {
  /**
   * What is to be repeated.
   *
   * @param command its words as the user would type them
   * @param program what the run that is kept is called, with a number behind
   * @param max so often at most
   * @param jitterSeed delays ranks at random, from this seed on, another one for each run
   * @param mpicc the compiler of the MPI in use, if the user names it
   */
  public record Request(
      List<String> command,
      String program,
      long max,
      OptionalLong jitterSeed,
      Optional<Path> mpicc,
      Duration stallLimit,
      OutputJudge judge) {
    public Request {
      command = List.copyOf(command);
    }
  }

  /**
   * What came of it.
   *
   * @param runs that were made
   * @param failure the run that failed, if one did
   * @param outcome of the last run
   */
  public record Result(
      long runs, Optional<RunDirectory> failure, ExecutionOutcome outcome, boolean interrupted) {}

  private volatile boolean interrupted;

  /** Repeats a program. */
  public static Result run(
      RunStore store,
      Function<Consumer<String>, Engine> engines,
      Request request,
      LongConsumer progress) {
    return new Repetition().repeat(store, engines, request, progress);
  }

  private Result repeat(
      RunStore store,
      Function<Consumer<String>, Engine> engines,
      Request request,
      LongConsumer progress) {
    ProgramRunner.Settings settings =
        new ProgramRunner.Settings(
            request.mpicc(), request.stallLimit(), request.judge(), Optional.empty(), 0);
    try (Signals _ = Signals.take(List.of("INT", "TERM", "HUP"), _ -> interrupted = true);
        Scratch scratch = Scratch.create(store.home(), ".repetition-");
        ProgramRunner runner = new ProgramRunner(scratch.path(), engines, settings)) {
      for (long run = 1; ; run++) {
        ProgramRunner.Executed executed =
            runner.record(request.command(), jitter(request, run), OptionalInt.empty());
        if (executed.recording().summary().isEmpty()) {
          throw new UserError(
              "there is nothing to record",
              "no rank of the command left a trace",
              "record a program that calls MPI_Init: reprise record mpirun -n 4 ./program");
        }
        boolean stopped = interrupted || executed.isInterrupted();
        if (!stopped && executed.outcome().isFailure()) {
          RunDirectory kept =
              OutcomeClasses.take(store, request.program(), executed.recording().run());
          store.setLatest(kept);
          return new Result(run, Optional.of(kept), executed.outcome(), false);
        }
        executed.remove();
        progress.accept(run);
        if (stopped || run >= request.max()) {
          return new Result(run, Optional.empty(), executed.outcome(), stopped);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static OptionalLong jitter(Request request, long run) {
    return request.jitterSeed().isPresent()
        ? OptionalLong.of(request.jitterSeed().getAsLong() + run - 1)
        : OptionalLong.empty();
  }

  private Repetition() {}
}
