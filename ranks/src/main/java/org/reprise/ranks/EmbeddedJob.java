package org.reprise.ranks;

/** Runs jobs on the embedded engine. */
public final class EmbeddedJob {
  /** Runs {@code program} in every rank and returns when all have ended. */
  public static JobResult run(JobRequest request, RankProgram program) {
    throw new UnsupportedOperationException("the engine is not there yet");
  }

  private EmbeddedJob() {}
}
