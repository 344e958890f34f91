package org.reprise.launch.explore;

/**
 * What an execution came to, as far as it shows. Executions with equal outcomes cannot be told
 * apart by how they end and what they print.
 *
 * @param status what the command exited with, or the signal that ended it
 * @param text what it printed, without what varies for other reasons than the order of messages; or
 *     what the judge said
 */
public record ExecutionOutcome(Kind kind, int status, String text) {
  /** How an execution ended. */
  public enum Kind {
    /** The command exited with status 0. */
    PASSED,
    /** It exited with another status, or the judge said that it failed. */
    FAILED,
    /** A signal ended it. */
    SIGNAL,
    /** A rank called MPI_Abort. */
    ABORT,
    /** A rank of a Java program threw an exception. */
    EXCEPTION,
    /** All ranks waited for each other. */
    DEADLOCK,
    /** No rank got on for a while, and it was ended; why, is not known. */
    STALLED
  }

  public boolean isFailure() {
    return kind != Kind.PASSED;
  }

  /** In a few words: {@code aborted with 3}. */
  public String words() {
    return switch (kind) {
      case PASSED -> "passed";
      case FAILED -> status == 0 ? "failed" : "exited with status " + status;
      case SIGNAL -> "was ended by signal " + status;
      case ABORT -> "aborted with " + status;
      case EXCEPTION -> "threw an exception";
      case DEADLOCK -> "deadlocked";
      case STALLED -> "stalled";
    };
  }
}
