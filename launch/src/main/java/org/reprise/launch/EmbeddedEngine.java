package org.reprise.launch;

import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import org.reprise.launch.embedded.EmbeddedCommand;
import org.reprise.launch.embedded.EmbeddedFollower;
import org.reprise.launch.embedded.EmbeddedRecorder;
import org.reprise.launch.embedded.EmbeddedReplayer;
import org.reprise.launch.run.Attempt;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.FollowRequest;
import org.reprise.launch.run.Followed;
import org.reprise.launch.run.RecordRequest;
import org.reprise.launch.run.Recording;
import org.reprise.launch.run.Replay;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.launch.run.RunRequest;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** The engine of Reprise itself: ranks are threads of this process. */
final class EmbeddedEngine implements Engine {
  private final EngineContext context;
  private final EmbeddedFollower follower;

  EmbeddedEngine(EngineContext context) {
    this.context = context;
    follower = new EmbeddedFollower(context);
  }

  @Override
  public int run(RunRequest request) {
    return recorder().run(EmbeddedCommand.parse(request.command()), request.jitterSeed());
  }

  @Override
  public Recording record(
      RunStore store, RecordRequest request, ToIntFunction<Recording> interrupted) {
    return recorder().record(store, request, interrupted);
  }

  @Override
  public Replay replay(ReplayRequest request, BiConsumer<RunDirectory, Replay> keeper) {
    return new EmbeddedReplayer(context).replay(request, keeper);
  }

  @Override
  public Followed follow(
      RunStore store, FollowRequest request, ToIntFunction<Recording> interrupted) {
    return follower.follow(store, request, interrupted);
  }

  @Override
  public Attempt attempt(RunStore store, FollowRequest request) {
    return follower.attempt(store, request);
  }

  @Override
  public void interrupt() {
    follower.interrupt();
  }

  @Override
  public void close() {
    follower.close();
  }

  private EmbeddedRecorder recorder() {
    return new EmbeddedRecorder(context.surroundings(), context.console(), context.told());
  }
}
