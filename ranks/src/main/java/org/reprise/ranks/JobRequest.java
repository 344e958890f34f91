package org.reprise.ranks;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A job to run on the embedded engine.
 *
 * @param ranks number of ranks
 * @param syncSends whether standard sends are complete only when they are received
 * @param trace directory that gets the rank files: of a recording, or of a replay for the judge.
 *     Empty: nothing is written
 * @param inputs whether clocks and random sources are recorded and given back
 * @param eventFrames full events beside the rank files, each with so many frames of the stack;
 *     empty: no events
 * @param endsAtRest whether an abort or exception ends the job only when no other rank can go on:
 *     what the others would have done does not depend on when the news reaches them then
 * @param held the directory of a debugger that holds the ranks, of a job with events; they have
 *     threads of the platform then, and nothing counts as a deadlock
 * @param pollsTold in the events, so many failures in a row of the same poll say what it asked for
 */
public record JobRequest(
    int ranks,
    Schedule schedule,
    boolean syncSends,
    Optional<Path> trace,
    boolean inputs,
    OptionalInt eventFrames,
    boolean endsAtRest,
    Optional<Path> held,
    int pollsTold) {
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
      Optional<Path> trace,
      boolean inputs,
      OptionalInt eventFrames,
      boolean endsAtRest) {
    this(ranks, schedule, syncSends, trace, inputs, eventFrames, endsAtRest, Optional.empty(), 0);
  }

  /** Ends when a rank ends it. */
  public JobRequest(
      int ranks,
      Schedule schedule,
      boolean syncSends,
      Optional<Path> trace,
      boolean inputs,
      OptionalInt eventFrames) {
    this(ranks, schedule, syncSends, trace, inputs, eventFrames, false);
  }

  /** Without events. */
  public JobRequest(
      int ranks, Schedule schedule, boolean syncSends, Optional<Path> trace, boolean inputs) {
    this(ranks, schedule, syncSends, trace, inputs, OptionalInt.empty());
  }

  /** A job that leaves nothing on disk. */
  public static JobRequest of(int ranks, Schedule schedule) {
    return new JobRequest(ranks, schedule, false, Optional.empty(), true);
  }

  public JobRequest withSyncSends() {
    return new JobRequest(
        ranks, schedule, true, trace, inputs, eventFrames, endsAtRest, held, pollsTold);
  }

  public JobRequest tracedIn(Path directory) {
    return new JobRequest(
        ranks,
        schedule,
        syncSends,
        Optional.of(directory),
        inputs,
        eventFrames,
        endsAtRest,
        held,
        pollsTold);
  }

  /** The same with full events, which need a directory to be traced in. */
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
        pollsTold);
  }

  /** The same, and an abort or exception ends it only when no other rank can go on. */
  public JobRequest endingAtRest(boolean atRest) {
    return new JobRequest(
        ranks, schedule, syncSends, trace, inputs, eventFrames, atRest, held, pollsTold);
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
        pollsTold);
  }

  /** The same, and so many failures in a row of the same poll say what it asked for. */
  public JobRequest tellingPolls(int failures) {
    return new JobRequest(
        ranks, schedule, syncSends, trace, inputs, eventFrames, endsAtRest, held, failures);
  }
}
