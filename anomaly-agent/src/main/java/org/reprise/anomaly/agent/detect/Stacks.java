package org.reprise.anomaly.agent.detect;

import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.Optional;
import org.reprise.anomaly.agent.instrument.program.Scope;

/** Where the program is, without the frames of the JDK and of the agent. */
public final class Stacks {
  private static final StackWalker WALKER = StackWalker.getInstance();

  private Stacks() {}

  /** The program's own calls, innermost first. */
  public static List<String> ofProgram() {
    return WALKER.walk(
        frames ->
            frames
                .filter(frame -> !Scope.isLibrary(frame.getClassName()))
                .map(frame -> frame.toStackTraceElement().toString())
                .toList());
  }

  /** The program's own innermost line, as {@code Solver.java:88}; empty if there is none. */
  public static String place() {
    return innermost().map(Stacks::place).orElse("");
  }

  public static String place(StackFrame frame) {
    return frame.getFileName() + ":" + frame.getLineNumber();
  }

  /** The program's own innermost call. */
  public static Optional<StackFrame> innermost() {
    return WALKER.walk(
        frames -> frames.filter(frame -> !Scope.isLibrary(frame.getClassName())).findFirst());
  }
}
