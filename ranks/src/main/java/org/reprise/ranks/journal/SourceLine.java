package org.reprise.ranks.journal;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The line of a program that a thread is at: its first frame that is not of MPI, Reprise or Java.
 */
public final class SourceLine {
  private static final List<String> OTHERS =
      List.of(
          "mpi.",
          "mpjbuf.",
          "org.reprise.ranks.",
          "org.reprise.launch.",
          "org.reprise.cli.",
          "org.reprise.trace.",
          "java.",
          "jdk.",
          "sun.");

  /** Classes that are none of a program's own, as patterns of their names: {@code java.*}. */
  public static final List<String> NOT_THE_PROGRAMS =
      OTHERS.stream().map(prefix -> prefix + "*").toList();

  /** Of the calling thread. */
  public static Optional<String> here() {
    return of(Thread.currentThread());
  }

  public static Optional<String> of(@Nullable Thread thread) {
    return thread == null ? Optional.empty() : in(thread.getStackTrace());
  }

  /** The first such frame of a stack, as {@code Ring.java:17}. */
  public static Optional<String> in(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (isThePrograms(frame.getClassName())) {
        String file = frame.getFileName() == null ? frame.getClassName() : frame.getFileName();
        return Optional.of(frame.getLineNumber() > 0 ? file + ":" + frame.getLineNumber() : file);
      }
    }
    return Optional.empty();
  }

  /** Whether a class of this name is a program's own. */
  public static boolean isThePrograms(String name) {
    for (String prefix : OTHERS) {
      if (name.startsWith(prefix)) {
        return false;
      }
    }
    return true;
  }

  private SourceLine() {}
}
