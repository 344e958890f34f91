package org.reprise.ranks.engine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How a job on the embedded engine ended.
 *
 * @param ranks how each rank ended, in their order
 * @param deadlock why nothing could move any more, if so
 * @param abortCode of the MPI_Abort that ended the job, if one did
 * @param atRest whether no rank could go on when the job was ended, by an abort or exception
 * @param warnings what is most likely wrong with the program, though it went on; a sentence each
 */
public record JobResult(
    List<RankEnd> ranks,
    Optional<Deadlock> deadlock,
    OptionalInt abortCode,
    boolean atRest,
    List<String> warnings) {
  public JobResult {
    ranks = List.copyOf(ranks);
    warnings = List.copyOf(warnings);
  }

  /** How a rank ended. */
  public enum How {
    /** Its program returned. */
    RETURNED,
    /** Its program called System.exit. */
    EXITED,
    /** It called MPI_Abort. */
    ABORTED,
    /** Its program threw something, which ended the job. */
    FAILED,
    /** The job ended under it. */
    ENDED_BY_JOB
  }

  /**
   * The end of one rank.
   *
   * @param status of System.exit or MPI_Abort; 0 otherwise
   * @param failure what its program threw, if it did
   * @param finalized whether it had called MPI_Finalize
   * @param orderHash over what it received, as rank files have it
   * @param events that the hash counts
   */
  public record RankEnd(
      int rank,
      How how,
      int status,
      @Nullable Throwable failure,
      boolean finalized,
      long orderHash,
      long events) {}

  /** Whether every rank came to its own end without an error. */
  public boolean succeeded() {
    return deadlock.isEmpty()
        && abortCode.isEmpty()
        && ranks.stream()
            .allMatch(
                end -> end.how() == How.RETURNED || (end.how() == How.EXITED && end.status() == 0));
  }

  /** What the failed ranks threw, the first of them. */
  public Optional<RankEnd> firstFailure() {
    return ranks.stream().filter(end -> end.how() == How.FAILED).findFirst();
  }
}
