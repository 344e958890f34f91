package org.reprise.ranks.fabric;

/**
 * Thrown through a rank's program when the rank is to end where it stands: the job was aborted, or
 * the program exited. It is no exception that a program handles; whoever catches it lets it pass.
 */
public final class RankEnded extends Error {
  /** Why a rank ends. */
  public enum Why {
    /** This rank called MPI_Abort. */
    ABORTS,
    /** This rank called System.exit. */
    EXITS,
    /** The job ended under it. */
    JOB_ENDED
  }

  private final Why why;
  private final int status;

  public RankEnded(Why why, int status) {
    super(why + " " + status, null, false, false);
    this.why = why;
    this.status = status;
  }

  /** To be thrown by a program's System.exit: ends the calling rank only. */
  public static RankEnded exit(int status) {
    return new RankEnded(Why.EXITS, status);
  }

  public Why why() {
    return why;
  }

  /** The status of the exit or abort. */
  public int status() {
    return status;
  }
}
