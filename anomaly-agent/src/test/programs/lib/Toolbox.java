package suite.lib;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;

/** What a program may use of a library that is not instrumented. */
public final class Toolbox {
  private static int calls;

  private Toolbox() {}

  /** Forks a loop in which nothing runs but the JDK's own code. */
  public static void copy(List<Integer> from, List<Integer> to) {
    from.parallelStream().forEach(to::add);
  }

  /** Something of the JDK's that the caller may run in parallel. */
  public static Consumer<Integer> adder(List<Integer> to) {
    return to::add;
  }

  /** Called by an interface of the JDK. */
  public static IntUnaryOperator counting() {
    return number -> number + calls++;
  }

  public static int count(int[] cells) {
    return cells[0];
  }
}
