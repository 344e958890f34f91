package org.reprise.anomaly.agent.jdk;

import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.detect.Stacks;
import org.reprise.anomaly.agent.instrument.program.Scope;

/**
 * Whose code forks. What a class that is not instrumented forks may run nothing but methods of the
 * JDK, on objects that nobody checks: so the fork itself prevents validation, unless the user
 * trusts the class.
 */
final class Forkers {
  private final Scope scope;
  private final BiConsumer<String, String> obstacles;
  private final Consumer<String> trusted;

  Forkers(Scope scope, BiConsumer<String, String> obstacles, Consumer<String> trusted) {
    this.scope = scope;
    this.obstacles = obstacles;
    this.trusted = trusted;
  }

  /** Who forks now. */
  Forker now(Origin.Kind kind) {
    List<StackFrame> call = Stacks.intoLibrary();
    Optional<StackFrame> caller = call.stream().findFirst();
    caller.ifPresent(frame -> name(frame, kind));
    boolean isForItself = Stacks.startsProgram(call);
    return new Forker(
        new Origin(kind, caller.map(Stacks::place).orElse("")),
        isForItself
            ? Optional.of(false)
            : caller.map(frame -> scope.contains(frame.getClassName())));
  }

  private void name(StackFrame frame, Origin.Kind kind) {
    if (!scope.isOutside(frame.getClassName())) {
      return;
    }
    scope
        .trustedAs(frame.getClassName())
        .ifPresentOrElse(
            trusted,
            () ->
                obstacles.accept(
                    "a "
                        + kind.word()
                        + " that "
                        + frame.getClassName()
                        + "."
                        + frame.getMethodName()
                        + "() forks, which is not instrumented",
                    Stacks.place(frame)));
  }

  /**
   * The innermost code of the program where something is forked.
   *
   * @param isChecked whether it is instrumented; empty if only the JDK is to be seen
   */
  record Forker(Origin origin, Optional<Boolean> isChecked) {}
}
