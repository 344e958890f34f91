package org.reprise.launch;

import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import org.reprise.launch.run.Attempt;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.FollowRequest;
import org.reprise.launch.run.Followed;
import org.reprise.launch.run.RecordRequest;
import org.reprise.launch.run.Recording;
import org.reprise.launch.run.Replay;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.launch.run.RunRequest;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/**
 * What the ranks of a program run on: a real MPI, or the engine of Reprise itself. Commands speak
 * to an engine and do not ask which one it is.
 */
public sealed interface Engine extends AutoCloseable permits MpiEngine, EmbeddedEngine {
  /** The engine for runs of this family. */
  static Engine of(MpiFamily family, EngineContext context) {
    return family.ranksShareAProcess() ? new EmbeddedEngine(context) : new MpiEngine(context);
  }

  /** Runs a command, keeps nothing, and says what to exit with: 128 + n after signal n. */
  int run(RunRequest request);

  /**
   * Runs a command and keeps the run, however it ends.
   *
   * @param interrupted gets the run if a signal ends the ranks together with this process, and says
   *     what to exit with: this method does not return then
   * @throws NotRecordable if there is no room for the recording; the command has not started
   */
  Recording record(RunStore store, RecordRequest request, ToIntFunction<Recording> interrupted);

  /**
   * Runs a recorded command again with every recorded outcome forced, and judges what it did.
   * Damage in the run's files is met before anything is started.
   *
   * @param keeper gets the directory of the replay before it is removed, and what came of it
   */
  Replay replay(ReplayRequest request, BiConsumer<RunDirectory, Replay> keeper);

  /** The same, for the verdict alone. */
  default Replay replay(ReplayRequest request) {
    return replay(request, (_, _) -> {});
  }

  /**
   * Runs a recorded command again with some outcomes forced and the others free, and keeps what
   * comes of it as a run of its own.
   *
   * @param interrupted as for {@link #record}
   */
  Followed follow(RunStore store, FollowRequest request, ToIntFunction<Recording> interrupted);

  /**
   * The same for one execution of many, which prints nothing and is a run on disk only if that is
   * asked for.
   *
   * @param store gets the run then
   * @param request has a directory for the output, which is emptied if it is used
   */
  Attempt attempt(RunStore store, FollowRequest request);

  /** Ends the attempt under way, from another thread, if no signal does that. */
  default void interrupt() {}

  /** Gives up what was kept for the next plan of a run. */
  @Override
  default void close() {}
}
