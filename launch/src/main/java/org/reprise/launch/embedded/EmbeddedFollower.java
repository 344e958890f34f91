package org.reprise.launch.embedded;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.reprise.launch.Engine;
import org.reprise.launch.process.OneEnd;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.FinishedRun;
import org.reprise.launch.run.FollowRequest;
import org.reprise.launch.run.Followed;
import org.reprise.launch.run.NewRun;
import org.reprise.launch.run.PlanScratch;
import org.reprise.launch.run.RankConsole;
import org.reprise.launch.run.Recording;
import org.reprise.launch.verdict.StallWatch;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** Runs a program of the embedded engine by a plan, and keeps what comes of it as a run. */
public final class EmbeddedFollower implements AutoCloseable {
  private final EngineContext context;

  /** The program of the run that was followed last: to compile it takes longer than to run it. */
  private @Nullable Opened opened;

  private record Opened(RunDescription of, HostedProgram program) {}

  public EmbeddedFollower(EngineContext context) {
    this.context = context;
  }

  /** As {@link Engine#follow} says. */
  public Followed follow(
      RunStore store, FollowRequest request, ToIntFunction<Recording> interrupted) {
    RecordedRun base = request.base();
    base.verify();
    RunDescription then = base.description();
    context.permission().toExecute(base, then.command());
    EmbeddedCommand command = EmbeddedCommand.parse(then.command());
    HostedProgram program = program(then, command);
    RunDirectory run = store.create(request.name());
    boolean done = false;
    try (PlanScratch scratch = PlanScratch.of(request, run)) {
      RunDescription begun =
          EmbeddedRecorder.begun(
                  run, then.command(), command.ranks(), program, context.surroundings())
              .inputs(then.inputs())
              .jitterSeed(request.jitterSeed())
              .stdinKept(then.stdinKept())
              .follows(then, request.change())
              .build();
      run.describe(begun);
      FinishedRun.seal(run, begun, context.surroundings());
      NewRun.keepInput(base, run);
      Followed followed = follow(request, command, program, run, begun, scratch, interrupted);
      done = true;
      return followed;
    } finally {
      if (!done) {
        NewRun.removeQuietly(run);
      }
    }
  }

  private HostedProgram program(RunDescription then, EmbeddedCommand command) {
    Opened last = opened;
    if (last == null || !last.of.equals(then)) {
      close();
      last = new Opened(then, HostedProgram.open(command.program(), Path.of(then.directory())));
      opened = last;
    }
    return last.program;
  }

  @Override
  public void close() {
    Opened last = opened;
    opened = null;
    if (last != null) {
      last.program.close();
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
    RankConsole wanted = request.quiet() ? context.console().silent() : context.console();
    Optional<Path> output = request.conditions().output();
    RankConsole console = output.isPresent() ? wanted.into(output) : wanted;
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
                  request.eventFrames(),
                  request.conditions().endsAtRest())
              .tellingPolls(request.conditions().pollsTold());
      StandardInput input =
          begun.stdinKept()
              ? new StandardInput.Kept(request.base().directory().stdinFile())
              : context.surroundings().input();
      JobResult result = ranks.run(job, input);
      EmbeddedEnd end = EmbeddedEnd.of(result);
      once.reached();
      if (!request.quiet()) {
        end.tell(context.told());
      }
      Recording recording =
          FinishedRun.of(run, begun, context.surroundings(), end.status(), false, _ -> List.of())
              .withAtRest(result.atRest())
              .withEnd(end.seen());
      return new Followed(
          recording,
          Followed.use(scratch.plan(), StallWatch.headers(run)),
          recording.end().isDeadlock());
    }
  }
}
