package mpi;

import java.lang.StackWalker.StackFrame;
import java.util.Optional;

/**
 * A call that MPI does not allow, told with the rank and the program's line: the first frame of the
 * stack that is neither this package nor Reprise.
 */
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
    programLine().ifPresent(line -> text.append(text.isEmpty() ? "" : ", ").append(line));
    return text.isEmpty() ? "" : text.append(": ").toString();
  }

  private static Optional<String> programLine() {
    return StackWalker.getInstance()
        .walk(frames -> frames.filter(Misuse::isProgram).findFirst())
        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber());
  }

  private static boolean isProgram(StackFrame frame) {
    String name = frame.getClassName();
    return !name.startsWith("mpi.")
        && !name.startsWith("org.reprise.")
        && !name.startsWith("java.")
        && !name.startsWith("jdk.");
  }
}
