package mpi;

import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.journal.SourceLine;

/** A call that MPI does not allow, told with the rank and the program's line. */
final class Misuse {
  private Misuse() {}

  static void unless(boolean allowed, String call, String what, Object found) {
    if (!allowed) {
      throw error(call, what, found);
    }
  }

  static MPIException error(String call, String what, Object found) {
    return error(MPI.ERR_ARG, call, what, found);
  }

  /** With one of MPI's classes of errors, where there is a better one than "an argument". */
  static MPIException error(int errorClass, String call, String what, Object found) {
    return new MPIException(errorClass, errorClass, where() + call + ": " + what + found);
  }

  /** What the fabric found. */
  static MPIException error(String call, FabricError found) {
    int code = code(found.kind());
    return new MPIException(code, code, where() + call + ": " + found.getMessage());
  }

  private static int code(FabricError.Kind kind) {
    return switch (kind) {
      case RANK -> MPI.ERR_RANK;
      case TAG -> MPI.ERR_TAG;
      case COUNT -> MPI.ERR_COUNT;
      case BUFFER -> MPI.ERR_BUFFER;
      case TYPE -> MPI.ERR_TYPE;
      case TRUNCATE -> MPI.ERR_TRUNCATE;
      case COMM -> MPI.ERR_COMM;
      case ROOT -> MPI.ERR_ROOT;
      case REQUEST -> MPI.ERR_REQUEST;
      case GROUP -> MPI.ERR_GROUP;
      case THREAD, ORDER, OTHER -> MPI.ERR_OTHER;
    };
  }

  /** "rank 2, Ring.java:14: ", or as much of it as is known. */
  static String where() {
    StringBuilder text = new StringBuilder();
    RankState.ifAny().ifPresent(rank -> text.append("rank ").append(rank.worldRank()));
    SourceLine.here().ifPresent(line -> text.append(text.isEmpty() ? "" : ", ").append(line));
    return text.isEmpty() ? "" : text.append(": ").toString();
  }
}
