package mpi;

import org.reprise.ranks.SourceLine;

/** A call that MPI does not allow, told with the rank and the program's line. */
final class Misuse {
  private Misuse() {}

  static void unless(boolean allowed, String call, String what, Object found) {
    if (!allowed) {
      throw error(call, what, found);
    }
  }

  static MPIException error(String call, String what, Object found) {
    return new MPIException(where() + call + ": " + what + found);
  }

  /** "rank 2, Ring.java:14: ", or as much of it as is known. */
  static String where() {
    StringBuilder text = new StringBuilder();
    RankState.ifAny().ifPresent(rank -> text.append("rank ").append(rank.worldRank()));
    SourceLine.here().ifPresent(line -> text.append(text.isEmpty() ? "" : ", ").append(line));
    return text.isEmpty() ? "" : text.append(": ").toString();
  }
}
