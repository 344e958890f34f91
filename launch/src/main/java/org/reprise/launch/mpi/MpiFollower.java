package org.reprise.launch.mpi;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reprise.launch.Engine;
import org.reprise.launch.interposer.CallTable;
import org.reprise.launch.interposer.Preparation;
import org.reprise.launch.process.Job;
import org.reprise.launch.process.PreparedCommand;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.FinishedRun;
import org.reprise.launch.run.FollowRequest;
import org.reprise.launch.run.Followed;
import org.reprise.launch.run.NewRun;
import org.reprise.launch.run.PlanScratch;
import org.reprise.launch.run.Recording;
import org.reprise.launch.run.RunEnd;
import org.reprise.launch.verdict.DeadlockWatch;
import org.reprise.launch.verdict.StallWatch;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** Runs a recorded command by a plan, and keeps what comes of it as a run. */
public final class MpiFollower {
  private final EngineContext context;

  /**
   * What was followed last: to find its MPI and its libraries again takes as long as a short run.
   */
  private @Nullable Opened opened;

  /**
   * What is the same for all plans of a run, which was checked.
   *
   * @param preparation with the library of events, if events are wanted
   */
  private record Opened(
      RunDirectory base,
      RunDescription description,
      Optional<Path> mpicc,
      boolean events,
      RestoredCommand restored,
      Preparation preparation) {
    boolean serves(FollowRequest request) {
      return base.equals(request.base().directory())
          && description.equals(request.base().description())
          && mpicc.equals(request.mpicc())
          && events == request.eventFrames().isPresent();
    }
  }

  public MpiFollower(EngineContext context) {
    this.context = context;
  }

  /** As {@link Engine#follow} says. */
  public Followed follow(RunStore store, FollowRequest request) {
    Opened last = opened(request);
    RunDirectory run = store.create(request.name());
    boolean done = false;
    try (PlanScratch scratch = PlanScratch.of(request, run)) {
      Followed followed = follow(request, last, run, scratch.plan());
      done = true;
      return followed;
    } finally {
      if (!done) {
        NewRun.removeQuietly(run);
      }
    }
  }

  private Opened opened(FollowRequest request) {
    Opened last = opened;
    if (last == null || !last.serves(request)) {
      RecordedRun base = request.base();
      base.verify();
      RestoredCommand restored =
          RestoredCommand.of(
              base,
              Optional.empty(),
              request.mpicc(),
              context.surroundings(),
              context.permission());
      boolean events = request.eventFrames().isPresent();
      Preparation preparation = restored.preparation();
      last =
          new Opened(
              base.directory(),
              base.description(),
              request.mpicc(),
              events,
              restored,
              events ? preparation.withEvents() : preparation);
      opened = last;
    }
    return last;
  }

  private Followed follow(FollowRequest request, Opened last, RunDirectory run, RecordedRun plan) {
    RunDescription begun = describe(request, last.restored, run);
    run.describe(begun);
    FinishedRun.seal(run, begun, context.surroundings());
    NewRun.keepInput(request.base(), run);
    Preparation preparation = last.preparation;
    PreparedCommand command = preparation.tell(variables(request, run, plan), List.of());
    Optional<Path> silent = request.quiet() ? Optional.of(Path.of("/dev/null")) : Optional.empty();
    Optional<Path> output = request.conditions().file("out").or(() -> silent);
    Optional<Path> errors = request.conditions().file("err");
    Surroundings place =
        request
            .conditions()
            .directory()
            .map(preparation.surroundings()::in)
            .orElse(preparation.surroundings());
    try (Job job = Job.start(command, place, Optional.empty(), output, errors);
        StallWatch watch =
            StallWatch.start(run, plan.ranks(), request.stallLimit(), stall -> job.end());
        DeadlockWatch deadlocks =
            DeadlockWatch.start(run, plan.ranks(), context.surroundings(), found -> job.end())) {
      int status = job.waitFor();
      job.remark().ifPresent(context.told());
      RunEnd seen =
          deadlocks.stop().map(found -> RunEnd.deadlock(found.lines())).orElse(RunEnd.PLAIN);
      boolean stalled = watch.stop().isPresent() || seen.isDeadlock();
      if (!request.quiet()) {
        seen.lines().forEach(context.told());
      }
      Recording recording =
          FinishedRun.of(
                  run,
                  begun,
                  context.surroundings(),
                  status,
                  job.wasSignalled(),
                  headers ->
                      RecordingWarnings.of(run, headers, CallTable.ofInterposer(), preparation))
              .withAtRest(deadlocks.cameToRest())
              .withEnd(seen);
      return new Followed(recording, Followed.use(plan, StallWatch.headers(run)), stalled);
    }
  }

  private static RunDescription describe(
      FollowRequest request, RestoredCommand restored, RunDirectory run) {
    RunDescription base = request.base().description();
    Preparation preparation = restored.preparation();
    return Recorder.begun(run, restored.words(), preparation, preparation.surroundings())
        .inputs(base.inputs())
        .jitterSeed(request.jitterSeed())
        .stdinKept(base.stdinKept())
        .follows(base, request.change())
        .build();
  }

  private static Map<String, String> variables(
      FollowRequest request, RunDirectory run, RecordedRun plan) {
    return RankVariables.forcing(Wire.Mode.FOLLOW, plan.directory(), run)
        .watched(request.conditions())
        .jitter(request.jitterSeed())
        .inputs(request.base().description().inputs())
        .events(request.eventFrames())
        .all();
  }
}
