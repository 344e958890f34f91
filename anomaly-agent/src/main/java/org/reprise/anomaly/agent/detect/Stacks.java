package org.reprise.anomaly.agent.detect;

import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.reprise.anomaly.agent.instrument.program.Scope;

/** Where the program is, without the frames of the JDK and of the agent. */
public final class Stacks {
  private static final StackWalker WALKER = StackWalker.getInstance();

  private static final Set<String> STARTING =
      Set.of("java.lang.ProcessBuilder", "java.lang.Runtime");

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

  /** The program's own innermost call, and the one of the JDK that it made, if it made one. */
  public static List<StackFrame> intoLibrary() {
    return WALKER.walk(
        frames -> {
          List<StackFrame> call = new ArrayList<>();
          for (StackFrame frame : (Iterable<StackFrame>) frames::iterator) {
            if (!Scope.isLibrary(frame.getClassName())) {
              call.add(0, frame);
              return call;
            }
            call.clear();
            call.add(frame);
          }
          return List.of();
        });
  }

  /** Whether the call starts another program: the JDK forks what waits for its end by itself. */
  public static boolean startsProgram(List<StackFrame> call) {
    return call.size() > 1 && STARTING.contains(call.get(1).getClassName());
  }
}
