package org.reprise.launch;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.RunDescription;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.RunStore;

/** Runs a program of the embedded engine by a plan, and keeps what comes of it as a run. */
final class EmbeddedFollower {
  private final EngineContext context;

  EmbeddedFollower(EngineContext context) {
    this.context = context;
  }

  /** As {@link Engine#follow} says. */
  Followed follow(RunStore store, FollowRequest request, ToIntFunction<Recording> interrupted) {
    RecordedRun base = request.base();
    base.verify();
    RunDescription then = base.description();
    context.permission().toExecute(base, then.command());
    EmbeddedCommand command = EmbeddedCommand.parse(then.command());
    try (HostedProgram program = HostedProgram.open(command.program(), Path.of(then.directory()))) {
      RunDirectory run = store.create(request.name());
      boolean done = false;
      try (PlanScratch scratch = PlanScratch.of(request, run)) {
        RunDescription begun =
            EmbeddedRecorder.begun(
                    run, then.command(), command.ranks(), program, context.surroundings())
                .inputs(then.inputs())
                .jitterSeed(request.jitterSeed())
                .stdinKept(then.stdinKept())
                .build();
        run.describe(begun);
        FinishedRun.seal(run, begun, context.surroundings());
        MpiFollower.keepInput(base, run);
        Followed followed = follow(request, command, program, run, begun, scratch, interrupted);
        done = true;
        return followed;
      } finally {
        if (!done) {
          Recorder.removeQuietly(run);
        }
      }
    }
  }

  private Followed follow(
      FollowRequest request,
      EmbeddedCommand command,
      HostedProgram program,
      RunDirectory run,
      RunDescription begun,
      PlanScratch scratch,
      ToIntFunction<Recording> interrupted) {
    RankConsole console = request.quiet() ? context.console().silent() : context.console();
    EmbeddedRun ranks = new EmbeddedRun(program, command, console);
    IntUnaryOperator bySignal =
        status -> {
          ranks.interrupt();
          return interrupted.applyAsInt(
              FinishedRun.of(run, begun, context.surroundings(), status, true, _ -> List.of()));
        };
    try (OneEnd once = new OneEnd(bySignal)) {
      JobRequest job =
          new JobRequest(
              command.ranks(),
              new Schedule.Follow(scratch.plan(), request.jitterSeed()),
              command.syncSends(),
              Optional.of(run.path()),
              begun.inputs(),
              request.eventFrames());
      StandardInput input =
          begun.stdinKept()
              ? new StandardInput.Kept(request.base().directory().stdinFile())
              : context.surroundings().input();
      EmbeddedEnd end = EmbeddedEnd.of(ranks.run(job, input));
      once.reached();
      if (!request.quiet()) {
        end.tell(context.told());
      }
      Recording recording =
          FinishedRun.of(run, begun, context.surroundings(), end.status(), false, _ -> List.of());
      return new Followed(
          recording, Followed.use(scratch.plan(), StallWatch.headers(run)), end.isDeadlock());
    }
  }
}
