package org.reprise.ranks.engine;

import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.RankEnded;

/** What every rank of a job runs, in a thread of its own. */
@FunctionalInterface
public interface RankProgram {
  /**
   * Runs one rank. {@link CurrentRank} answers in this thread and in those it starts. Returning
   * ends the rank; a {@link RankEnded} that is thrown through ends it as that says; whatever else
   * is thrown ends the job.
   */
  void run(int rank) throws Throwable;

  /** Whether a rank may cancel a receive: then even one that names its source may come to two. */
  default boolean cancels() {
    return false;
  }
}
