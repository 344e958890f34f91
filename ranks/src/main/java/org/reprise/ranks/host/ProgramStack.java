package org.reprise.ranks.host;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The stack of something a program threw, as its author knows it: from main on. */
public final class ProgramStack {
  /** As {@link Throwable#printStackTrace} has it, without what started main. */
  public static String text(Throwable thrown) {
    trim(thrown, Collections.newSetFromMap(new IdentityHashMap<>()));
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text, true));
    return text.toString().strip();
  }

  private static void trim(@Nullable Throwable thrown, Set<Throwable> seen) {
    if (thrown == null || !seen.add(thrown)) {
      return;
    }
    StackTraceElement[] frames = thrown.getStackTrace();
    int end = frames.length;
    for (int at = 0; at < frames.length; at++) {
      if (frames[at].getClassName().equals(MainMethod.class.getName())) {
        end = at;
        break;
      }
    }
    while (end > 0 && end < frames.length && isReflection(frames[end - 1])) {
      end--;
    }
    thrown.setStackTrace(Arrays.copyOf(frames, end));
    trim(thrown.getCause(), seen);
    for (Throwable suppressed : thrown.getSuppressed()) {
      trim(suppressed, seen);
    }
  }

  private static boolean isReflection(StackTraceElement frame) {
    return frame.getClassName().startsWith("java.lang.reflect.")
        || frame.getClassName().startsWith("jdk.internal.reflect.");
  }

  private ProgramStack() {}
}
