package org.reprise.ranks.fabric;

/** A call that MPI does not allow, or a message that did not fit: the caller's error. */
public final class FabricError extends RuntimeException {
  /** What is wrong, as MPI classifies errors. */
  public enum Kind {
    RANK,
    TAG,
    COUNT,
    BUFFER,
    TYPE,
    TRUNCATE,
    COMM,
    ROOT,
    REQUEST,
    GROUP,
    THREAD,
    ORDER,
    OTHER
  }

  private final Kind kind;

  public FabricError(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
