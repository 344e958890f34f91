package org.reprise.launch;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.JobResult;
import org.reprise.ranks.MpiCall;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.trace.Ending;
import org.reprise.trace.LiveRecorder;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.RecordedEnvironment;
import org.reprise.trace.RunDescription;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.RunStore;
import org.reprise.trace.Wire;

/** Runs Java programs on the embedded engine, and keeps what their ranks leave as a run. */
public final class EmbeddedRecorder {
  /** What the engine calls itself where an MPI's version stands. */
  static final String ENGINE = "Reprise's own engine";

  private final Surroundings surroundings;
  private final RankConsole console;
  private final Consumer<String> told;

  /**
   * A recorder.
   *
   * @param told gets lines for standard error: why a program failed or cannot go on
   */
  public EmbeddedRecorder(Surroundings surroundings, RankConsole console, Consumer<String> told) {
    this.surroundings = surroundings;
    this.console = console;
    this.told = told;
  }

  /** Runs it, records nothing, and says what to exit with. */
  public int run(EmbeddedCommand command, OptionalLong jitterSeed) {
    try (HostedProgram program = HostedProgram.open(command.program(), surroundings.directory())) {
      JobRequest request =
          new JobRequest(
              command.ranks(),
              schedule(command, jitterSeed),
              command.syncSends(),
              Optional.empty(),
              true);
      JobResult result =
          new EmbeddedRun(program, command, console).run(request, surroundings.input());
      return tell(program, result).status();
    }
  }

  /**
   * Runs it and keeps the run, however it ends.
   *
   * @param inputs whether clocks and random sources are recorded too
   * @param eventFrames full events, each with so many frames of the stack; empty: no events
   * @param interrupted gets the run if a signal ends it, and says what to exit with: this method
   *     does not return then
   * @throws NotRecordable if there is no room for the recording; the program has not started
   */
  public Recording record(
      RunStore store,
      EmbeddedCommand command,
      OptionalLong jitterSeed,
      boolean inputs,
      OptionalInt eventFrames,
      ToIntFunction<Recording> interrupted) {
    try (HostedProgram program = HostedProgram.open(command.program(), surroundings.directory())) {
      RunDirectory run = Recorder.create(store, command.program().name());
      RunDescription begun = description(run, command, program, jitterSeed, inputs);
      EmbeddedRun ranks = new EmbeddedRun(program, command, console);
      IntUnaryOperator bySignal =
          status -> {
            ranks.interrupt();
            return interrupted.applyAsInt(
                FinishedRun.of(run, begun, surroundings, status, true, _ -> List.of()));
          };
      boolean done = false;
      try (OneEnd once = new OneEnd(bySignal)) {
        Recorder.begin(run, begun);
        FinishedRun.seal(run, begun, surroundings);
        JobRequest request =
            new JobRequest(
                command.ranks(),
                schedule(command, jitterSeed),
                command.syncSends(),
                Optional.of(run.path()),
                inputs,
                eventFrames);
        List<String> trouble = new ArrayList<>();
        JobResult result =
            ranks.record(
                request,
                surroundings.input(),
                keptInput(run),
                () -> Recorder.tolerate(trouble, () -> store.setLatest(run)));
        once.reached();
        EmbeddedEnd end = tell(program, result);
        done = true;
        ranks.inputLost().ifPresent(reason -> Recorder.forgetInput(run, reason, trouble));
        return FinishedRun.of(run, begun, surroundings, end.status(), false, _ -> List.of())
            .withWarnings(trouble);
      } finally {
        if (!done) {
          Recorder.removeQuietly(run);
        }
      }
    }
  }

  private Optional<Path> keptInput(RunDirectory run) {
    return surroundings.input() instanceof StandardInput.Piped
        ? Optional.of(run.stdinFile())
        : Optional.empty();
  }

  private EmbeddedEnd tell(HostedProgram program, JobResult result) {
    EmbeddedEnd end = EmbeddedEnd.of(result);
    end.tell(told);
    List<String> threads = program.threadsLeft();
    if (!threads.isEmpty()) {
      told.accept(
          "threads that the program started are still running and end here: "
              + String.join(", ", threads));
    }
    return end;
  }

  static Schedule schedule(EmbeddedCommand command, OptionalLong jitterSeed) {
    return command.seed().isPresent()
        ? new Schedule.Seeded(command.seed().getAsLong())
        : new Schedule.Free(jitterSeed);
  }

  private RunDescription description(
      RunDirectory run,
      EmbeddedCommand command,
      HostedProgram program,
      OptionalLong jitterSeed,
      boolean inputs) {
    return describe(
        run,
        "record",
        command,
        program,
        surroundings,
        jitterSeed,
        inputs,
        surroundings.input() instanceof StandardInput.Piped);
  }

  /**
   * What run.json says of a run of the embedded engine before it has ended.
   *
   * @param verb of the command that the user typed
   */
  static RunDescription describe(
      RunDirectory run,
      String verb,
      EmbeddedCommand command,
      HostedProgram program,
      Surroundings surroundings,
      OptionalLong jitterSeed,
      boolean inputs,
      boolean stdinKept) {
    return new RunDescription(
        Recorder.version(),
        Wire.VERSION,
        run.name(),
        command.words(verb),
        surroundings.directory().toString(),
        Optional.of(program.identity()),
        new RunDescription.Mpi(MpiFamily.EMBEDDED, ENGINE, ""),
        command.ranks(),
        List.of(LiveRecorder.hostName()),
        RecordedEnvironment.of(surroundings.environment()),
        inputs,
        jitterSeed,
        stdinKept,
        OptionalLong.empty(),
        MpiCall.names(),
        Instant.now(),
        Optional.empty(),
        new Ending.Unfinished(),
        List.of(),
        LiveRecorder.self(),
        Optional.empty());
  }
}
