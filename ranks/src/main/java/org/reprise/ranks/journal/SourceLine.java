package org.reprise.ranks.journal;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The line of a program that a thread is at: its first frame that is not of MPI, Reprise or Java.
 */
public final class SourceLine {
  private static final String[] NOT_THE_PROGRAMS = {
    "mpi.", "org.reprise.ranks.", "java.", "jdk.", "sun."
  };

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

  static boolean isThePrograms(String name) {
    for (String prefix : NOT_THE_PROGRAMS) {
      if (name.startsWith(prefix)) {
        return false;
      }
    }
    return true;
  }

  private SourceLine() {}
}
