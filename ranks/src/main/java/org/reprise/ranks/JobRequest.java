package org.reprise.ranks;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.reprise.trace.file.RankFiles;

/**
 * A job to run on the embedded engine.
 *
 * @param ranks number of ranks
 * @param syncSends whether standard sends are complete only when they are received
 * @param trace where the rank files go: of a recording, or of a replay for the judge. Empty:
 *     nothing is written
 * @param inputs whether clocks and random sources are recorded and given back
 * @param eventFrames full events beside the rank files, each with so many frames of the stack;
 *     empty: no events
 * @param endsAtRest whether an abort or exception ends the job only when no other rank can go on:
 *     what the others would have done does not depend on when the news reaches them then
 * @param held the directory of a debugger that holds the ranks, of a job with events; they have
 *     threads of the platform then, and nothing counts as a deadlock
 * @param pollsTold in the events, so many failures in a row of the same poll say what it asked for
 * @param inTurn whether ranks that a schedule lets run in parallel take turns on the calling thread
 *     instead: where many short executions are wanted, and not one that is over soon
 */
public record JobRequest(
    int ranks,
    Schedule schedule,
    boolean syncSends,
    Optional<RankFiles> trace,
    boolean inputs,
    OptionalInt eventFrames,
    boolean endsAtRest,
    Optional<Path> held,
    int pollsTold,
    boolean inTurn) {
  public JobRequest {
    if (ranks <= 0) {
      throw new IllegalArgumentException("a job has ranks: " + ranks);
    }
  }

  /** Nobody holds its ranks. */
  public JobRequest(
      int ranks,
      Schedule schedule,
      boolean syncSends,
      Optional<RankFiles> trace,
      boolean inputs,
      OptionalInt eventFrames,
      boolean endsAtRest) {
    this(
        ranks,
        schedule,
        syncSends,
        trace,
        inputs,
        eventFrames,
        endsAtRest,
        Optional.empty(),
        0,
        false);
  }

  /** Ends when a rank ends it. */
  public JobRequest(
      int ranks,
      Schedule schedule,
      boolean syncSends,
      Optional<RankFiles> trace,
      boolean inputs,
      OptionalInt eventFrames) {
    this(ranks, schedule, syncSends, trace, inputs, eventFrames, false);
  }

  /** Without events. */
  public JobRequest(
      int ranks, Schedule schedule, boolean syncSends, Optional<RankFiles> trace, boolean inputs) {
    this(ranks, schedule, syncSends, trace, inputs, OptionalInt.empty());
  }

  /** A job that leaves nothing on disk. */
  public static JobRequest of(int ranks, Schedule schedule) {
    return new JobRequest(ranks, schedule, false, Optional.empty(), true);
  }

  public JobRequest withSyncSends() {
    return new JobRequest(
        ranks, schedule, true, trace, inputs, eventFrames, endsAtRest, held, pollsTold, inTurn);
  }

  public JobRequest tracedIn(Path directory) {
    return tracedIn(new RankFiles.InDirectory(directory));
  }

  public JobRequest tracedIn(RankFiles files) {
    return new JobRequest(
        ranks,
        schedule,
        syncSends,
        Optional.of(files),
        inputs,
        eventFrames,
        endsAtRest,
        held,
        pollsTold,
        inTurn);
  }

  /** The same with full events, which need files to be traced in. */
  public JobRequest withEvents(int frames) {
    return new JobRequest(
        ranks,
        schedule,
        syncSends,
        trace,
        inputs,
        OptionalInt.of(frames),
        endsAtRest,
        held,
        pollsTold,
        inTurn);
  }

  /** The same, and an abort or exception ends it only when no other rank can go on. */
  public JobRequest endingAtRest(boolean atRest) {
    return new JobRequest(
        ranks, schedule, syncSends, trace, inputs, eventFrames, atRest, held, pollsTold, inTurn);
  }

  /** The same, held by a debugger that has made this directory. */
  public JobRequest heldBy(Path control) {
    return new JobRequest(
        ranks,
        schedule,
        syncSends,
        trace,
        inputs,
        eventFrames,
        endsAtRest,
        Optional.of(control),
        pollsTold,
        inTurn);
  }

  /** The same, and so many failures in a row of the same poll say what it asked for. */
  public JobRequest tellingPolls(int failures) {
    return new JobRequest(
        ranks, schedule, syncSends, trace, inputs, eventFrames, endsAtRest, held, failures, inTurn);
  }

  /** The same, its ranks in turn on the thread that runs the job. */
  public JobRequest withRanksInTurn() {
    return new JobRequest(
        ranks, schedule, syncSends, trace, inputs, eventFrames, endsAtRest, held, pollsTold, true);
  }
}
