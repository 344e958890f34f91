package org.reprise.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import org.reprise.launch.interposer.Preparation;
import org.reprise.launch.mpi.MpiFollower;
import org.reprise.launch.mpi.Recorder;
import org.reprise.launch.mpi.Replayer;
import org.reprise.launch.process.Job;
import org.reprise.launch.process.PreparedCommand;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.run.Attempt;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.FollowRequest;
import org.reprise.launch.run.Followed;
import org.reprise.launch.run.RecordRequest;
import org.reprise.launch.run.Recording;
import org.reprise.launch.run.Replay;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.launch.run.RunOutput;
import org.reprise.launch.run.RunRequest;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** A real MPI: ranks are processes that its launcher starts, with the interposer in them. */
final class MpiEngine implements Engine {
  private final EngineContext context;
  private final MpiFollower follower;

  MpiEngine(EngineContext context) {
    this.context = context;
    follower = new MpiFollower(context);
  }

  @Override
  public int run(RunRequest request) {
    Surroundings surroundings = context.surroundings();
    PreparedCommand command =
        request.jitterSeed().isPresent()
            ? shaken(request, request.jitterSeed().getAsLong())
            : new PreparedCommand(request.command(), surroundings.environment());
    try (Job job = Job.start(command, surroundings, Optional.empty(), Optional.empty())) {
      int status = job.waitFor();
      job.remark().ifPresent(context.told());
      return status;
    }
  }

  private PreparedCommand shaken(RunRequest request, long seed) {
    return Preparation.of(request.command(), context.surroundings(), request.mpicc())
        .tell(
            Map.of(
                Wire.ENV_MODE, Wire.Mode.SHAKE.word(),
                Wire.ENV_JITTER, Long.toString(seed)),
            List.of());
  }

  /** A signal ends the ranks and not this process, so it never interrupts the recording. */
  @Override
  public Recording record(
      RunStore store, RecordRequest request, ToIntFunction<Recording> interrupted) {
    return new Recorder(store, context.surroundings(), context.told()).record(request);
  }

  @Override
  public Replay replay(ReplayRequest request, BiConsumer<RunDirectory, Replay> keeper) {
    return new Replayer(context.surroundings(), context.told(), context.permission())
        .replay(request, keeper);
  }

  @Override
  public Followed follow(
      RunStore store, FollowRequest request, ToIntFunction<Recording> interrupted) {
    return follower.follow(store, request);
  }

  /** Its ranks are processes, which leave files in any case. */
  @Override
  public Attempt attempt(RunStore store, FollowRequest request) {
    Path output = request.conditions().output().orElseThrow();
    try {
      PrivateFiles.createEmptied(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Followed followed = follow(store, request, Recording::exitStatus);
    return new Attempt.OnDisk(followed, RunOutput.read(output));
  }
}
