package org.reprise.launch.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.reprise.launch.Engine;
import org.reprise.launch.process.KnownInput;
import org.reprise.launch.process.OneEnd;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.run.Attempt;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.FinishedRun;
import org.reprise.launch.run.FollowRequest;
import org.reprise.launch.run.Followed;
import org.reprise.launch.run.NewRun;
import org.reprise.launch.run.RankConsole;
import org.reprise.launch.run.Recording;
import org.reprise.launch.verdict.StallWatch;
import org.reprise.ranks.EmbeddedJob;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.host.HostedRanks;
import org.reprise.ranks.host.SystemStreams;
import org.reprise.trace.Rank;
import org.reprise.trace.file.RankFiles;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;
import org.reprise.trace.run.UnwrittenRun;

/**
 * Runs a program of the embedded engine by a plan. What comes of it is kept as a run, or lies in
 * memory until somebody wants one: of the many executions of a search few are kept, and files take
 * longer than the program.
 */
public final class EmbeddedFollower implements AutoCloseable {
  /** So long ranks may go on when they are to end. */
  private static final Duration INTERRUPT_PATIENCE = Duration.ofSeconds(2);

  private static final int INTERRUPTED = 130;

  private final EngineContext context;

  /** The program of the run that was followed last: to compile it takes longer than to run it. */
  private @Nullable Opened opened;

  private volatile @Nullable EmbeddedJob attempted;
  private volatile boolean interrupted;

  /**
   * What is the same for all plans of a run, which was checked.
   *
   * @param begun the description of executions that have no name
   */
  private record Opened(
      RecordedRun base,
      EmbeddedCommand command,
      HostedProgram program,
      RunDescription begun,
      KnownInput input) {
    boolean isOf(RecordedRun other) {
      return base.directory().equals(other.directory())
          && base.description().equals(other.description());
    }
  }

  public EmbeddedFollower(EngineContext context) {
    this.context = context;
  }

  /** As {@link Engine#follow} says. */
  public Followed follow(
      RunStore store, FollowRequest request, ToIntFunction<Recording> interrupted) {
    Opened last = opened(request.base());
    RunDirectory run = store.create(request.name());
    boolean done = false;
    try {
      RunDescription begun = begin(run, last, request);
      Followed followed = follow(request, last, run, begun, interrupted);
      done = true;
      return followed;
    } finally {
      if (!done) {
        NewRun.removeQuietly(run);
      }
    }
  }

  private Opened opened(RecordedRun base) {
    Opened last = opened;
    if (last == null || !last.isOf(base)) {
      close();
      base.verify();
      RunDescription then = base.description();
      context.permission().toExecute(base, then.command());
      EmbeddedCommand command = EmbeddedCommand.parse(then.command());
      HostedProgram program = HostedProgram.open(command.program(), Path.of(then.directory()));
      RunDescription begun = description(base.directory(), base, command, program).build();
      last = new Opened(base, command, program, begun, new KnownInput(input(base)));
      opened = last;
    }
    return last;
  }

  private StandardInput input(RecordedRun base) {
    return base.description().stdinKept()
        ? new StandardInput.Kept(base.directory().stdinFile())
        : context.surroundings().input();
  }

  private RunDescription.Builder description(
      RunDirectory run, RecordedRun base, EmbeddedCommand command, HostedProgram program) {
    RunDescription then = base.description();
    return EmbeddedRecorder.begun(
            run, then.command(), command.ranks(), program, context.surroundings())
        .inputs(then.inputs())
        .stdinKept(then.stdinKept());
  }

  /** Describes a run before it has ended. */
  private RunDescription begin(RunDirectory run, Opened last, FollowRequest request) {
    RunDescription begun =
        description(run, last.base, last.command, last.program)
            .jitterSeed(request.jitterSeed())
            .follows(last.base.description(), request.change())
            .build();
    run.describe(begun);
    FinishedRun.seal(run, begun, context.surroundings());
    NewRun.keepInput(last.base, run);
    return begun;
  }

  @Override
  public void close() {
    Opened last = opened;
    opened = null;
    if (last != null) {
      last.program.close();
    }
  }

  private static JobRequest job(FollowRequest request, Opened last, RankFiles files) {
    return new JobRequest(
            last.command.ranks(),
            new Schedule.Follow(request.base(), request.plan(), request.jitterSeed()),
            last.command.syncSends(),
            Optional.of(files),
            last.begun.inputs(),
            request.eventFrames(),
            request.conditions().endsAtRest())
        .tellingPolls(request.conditions().pollsTold());
  }

  private Followed follow(
      FollowRequest request,
      Opened last,
      RunDirectory run,
      RunDescription begun,
      ToIntFunction<Recording> interrupted) {
    RankConsole wanted = request.quiet() ? context.console().silent() : context.console();
    Optional<Path> output = request.conditions().output();
    RankConsole console = output.isPresent() ? wanted.into(output) : wanted;
    EmbeddedRun ranks = new EmbeddedRun(last.program, last.command, console);
    IntUnaryOperator bySignal =
        status -> {
          ranks.interrupt();
          return interrupted.applyAsInt(
              FinishedRun.of(run, begun, context.surroundings(), status, true, _ -> List.of()));
        };
    try (OneEnd once = new OneEnd(bySignal)) {
      JobRequest job = job(request, last, new RankFiles.InDirectory(run.path()));
      JobResult result = ranks.run(job, input(request.base()));
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
          Followed.use(request.base(), StallWatch.headers(run)),
          recording.end().isDeadlock());
    }
  }

  /** As {@link Engine#attempt} says. */
  public Attempt attempt(RunStore store, FollowRequest request) {
    Opened last = opened(request.base());
    RankFiles.InMemory files = new RankFiles.InMemory();
    CapturedOutput printed = new CapturedOutput(last.command.ranks(), last.input);
    JobResult result;
    try (SystemStreams _ = SystemStreams.take()) {
      EmbeddedJob job =
          EmbeddedJob.of(
              job(request, last, files).withRanksInTurn(),
              new HostedRanks(last.program, last.command.program(), printed::streams));
      attempted = job;
      job.open();
      result = job.run();
    } finally {
      attempted = null;
    }
    UnwrittenRun left = new UnwrittenRun(files);
    EmbeddedEnd end = EmbeddedEnd.of(result);
    int status = interrupted ? INTERRUPTED : end.status();
    SortedMap<Rank, RankHeader> headers = left.headers(last.command.ranks());
    RunDescription ended =
        FinishedRun.ended(last.begun, headers, status, interrupted, OptionalLong.empty());
    Recording recording =
        new Recording(
            last.base.directory(),
            ended,
            Optional.empty(),
            status,
            result.atRest(),
            end.seen(),
            List.of());
    return new Attempt.InMemory(
        new Followed(recording, Followed.use(last.base, headers), recording.end().isDeadlock()),
        new RecordedRun(last.base.directory(), ended, headers),
        left,
        printed.output(),
        () -> write(store, request, last, left, status));
  }

  private RunDirectory write(
      RunStore store, FollowRequest request, Opened last, UnwrittenRun left, int status) {
    RunDirectory run = store.create(request.name());
    boolean done = false;
    try {
      RunDescription begun = begin(run, last, request);
      left.writeInto(run);
      FinishedRun.of(run, begun, context.surroundings(), status, false, _ -> List.of());
      done = true;
      return run;
    } finally {
      if (!done) {
        NewRun.removeQuietly(run);
      }
    }
  }

  /**
   * Ends the attempt under way from another thread. A rank that computes and makes no call never
   * hears of it; nobody can be told to end then but the process itself.
   */
  public void interrupt() {
    interrupted = true;
    EmbeddedJob job = attempted;
    if (job == null) {
      return;
    }
    job.interrupt(INTERRUPT_PATIENCE);
    if (attempted == job) {
      LockSupport.parkNanos(INTERRUPT_PATIENCE.toNanos());
    }
    if (attempted == job) {
      Runtime.getRuntime().halt(INTERRUPTED);
    }
  }
}
