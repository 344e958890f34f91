package org.reprise.launch.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import org.reprise.launch.Engine;
import org.reprise.launch.process.OneEnd;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.run.FinishedRun;
import org.reprise.launch.run.NewRun;
import org.reprise.launch.run.RankConsole;
import org.reprise.launch.run.RecordRequest;
import org.reprise.launch.run.Recording;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.file.RankFiles;
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

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

  /** As {@link Engine#record} says. */
  public Recording record(
      RunStore store, RecordRequest request, ToIntFunction<Recording> interrupted) {
    EmbeddedCommand command = EmbeddedCommand.parse(request.command());
    try (HostedProgram program = HostedProgram.open(command.program(), surroundings.directory())) {
      RunDirectory run = NewRun.create(store, command.program().name());
      RunDescription begun = description(run, command, program, request);
      Optional<Path> output = request.conditions().output();
      RankConsole printed = output.isPresent() ? console.into(output) : console;
      EmbeddedRun ranks = new EmbeddedRun(program, command, printed);
      IntUnaryOperator bySignal =
          status -> {
            ranks.interrupt();
            return interrupted.applyAsInt(
                FinishedRun.of(run, begun, surroundings, status, true, _ -> List.of()));
          };
      boolean done = false;
      try (OneEnd once = new OneEnd(bySignal)) {
        NewRun.begin(run, begun);
        FinishedRun.seal(run, begun, surroundings);
        request.begun().accept(run);
        JobRequest job =
            new JobRequest(
                    command.ranks(),
                    schedule(command, request.jitterSeed()),
                    command.syncSends(),
                    Optional.of(new RankFiles.InDirectory(run.path())),
                    request.inputs(),
                    request.eventFrames(),
                    request.conditions().endsAtRest())
                .tellingPolls(request.conditions().pollsTold());
        List<String> trouble = new ArrayList<>();
        JobResult result =
            ranks.record(
                job,
                surroundings.input(),
                keptInput(run),
                () -> NewRun.tolerate(trouble, () -> store.setLatest(run)));
        once.reached();
        EmbeddedEnd end = tell(program, result);
        done = true;
        ranks.inputLost().ifPresent(reason -> NewRun.forgetInput(run, reason, trouble));
        return FinishedRun.of(run, begun, surroundings, end.status(), false, _ -> List.of())
            .withAtRest(result.atRest())
            .withEnd(end.seen())
            .withWarnings(trouble);
      } finally {
        if (!done) {
          NewRun.removeQuietly(run);
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
      RunDirectory run, EmbeddedCommand command, HostedProgram program, RecordRequest request) {
    return begun(run, request.command(), command.ranks(), program, surroundings)
        .inputs(request.inputs())
        .jitterSeed(request.jitterSeed())
        .stdinKept(surroundings.input() instanceof StandardInput.Piped)
        .build();
  }

  /** What run.json says of a run of the embedded engine before it has ended. */
  static RunDescription.Builder begun(
      RunDirectory run,
      List<String> words,
      int ranks,
      HostedProgram program,
      Surroundings surroundings) {
    return FinishedRun.begun(
            run, words, new RunDescription.Mpi(MpiFamily.EMBEDDED, ENGINE, ""), surroundings)
        .program(Optional.of(program.identity()))
        .ranks(ranks)
        .hosts(List.of(LiveRecorder.hostName()))
        .callNames(MpiCall.names());
  }
}
