package org.reprise.trace;

/** The MPI implementations whose binary interfaces differ: one interposer is compiled for each. */
public enum MpiFamily {
  OTHER("another MPI"),
  OPEN_MPI("Open MPI"),
  MPICH("MPICH");

  private final String title;

  MpiFamily(String title) {
    this.title = title;
  }

  /** The number of this family in a rank file's header. */
  public int wire() {
    return ordinal();
  }

  @Override
  public String toString() {
    return title;
  }
}
