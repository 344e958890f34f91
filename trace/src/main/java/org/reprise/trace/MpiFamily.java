package org.reprise.trace;

/**
 * What carries a run's messages: the MPI implementations whose binary interfaces differ, for each
 * of which an interposer is compiled, and the engine of Reprise itself.
 */
public enum MpiFamily {
  OTHER("another MPI"),
  OPEN_MPI("Open MPI"),
  MPICH("MPICH"),
  EMBEDDED("embedded");

  private final String title;

  MpiFamily(String title) {
    this.title = title;
  }

  /** The number of this family in a rank file's header. */
  public int wire() {
    return ordinal();
  }

  /**
   * Whether all ranks of a run are threads of one process: they get their files at once, and a
   * process that is killed takes all of them with it.
   */
  public boolean ranksShareAProcess() {
    return this == EMBEDDED;
  }

  @Override
  public String toString() {
    return title;
  }
}
