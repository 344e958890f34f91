package org.reprise.anomaly.agent.instrument;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/** The ranges of arrays that static methods of the library read and write. */
public final class ArrayCalls {
  /** Stands for the array's first index, or its length. */
  public static final int WHOLE = -1;

  private ArrayCalls() {}

  /**
   * One range that a call accesses; numbers are positions of arguments.
   *
   * @param from the argument with the first index; {@link #WHOLE} for the start of the array
   * @param to the argument with the index after the last one; {@link #WHOLE} for its length
   * @param isLength {@code to} is a number of elements rather than an index
   */
  public record Range(boolean isWrite, int array, int from, int to, boolean isLength) {}

  /** The ranges that a call accesses; empty for one that accesses no array. */
  public static List<Range> of(String owner, String name, String descriptor) {
    Type[] arguments = Type.getArgumentTypes(descriptor);
    if (owner.equals("java/lang/System") && name.equals("arraycopy")) {
      return List.of(new Range(false, 0, 1, 4, true), new Range(true, 2, 3, 4, true));
    }
    if (!owner.equals("java/util/Arrays")
        || arguments.length == 0
        || arguments[0].getSort() != Type.ARRAY) {
      return List.of();
    }
    return switch (name) {
      case "fill", "sort", "parallelSort", "parallelPrefix" -> ranges(true, arguments);
      case "copyOfRange", "stream", "spliterator", "binarySearch" -> ranges(false, arguments);
      case "setAll" -> List.of(new Range(true, 0, WHOLE, WHOLE, false));
      case "copyOf" -> List.of(new Range(false, 0, WHOLE, 1, false));
      case "equals", "compare", "mismatch", "hashCode", "toString" -> whole(arguments);
      default -> List.of();
    };
  }

  /** Whether the call computes the elements of an array in parallel, by a function. */
  public static boolean generates(MethodInsnNode call) {
    return call.owner.equals("java/util/Arrays") && call.name.equals("parallelSetAll");
  }

  private static List<Range> ranges(boolean isWrite, Type[] arguments) {
    boolean bounded =
        arguments.length > 2 && arguments[1] == Type.INT_TYPE && arguments[2] == Type.INT_TYPE;
    return bounded
        ? List.of(new Range(isWrite, 0, 1, 2, false))
        : List.of(new Range(isWrite, 0, WHOLE, WHOLE, false));
  }

  private static List<Range> whole(Type[] arguments) {
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].getSort() == Type.ARRAY) {
        ranges.add(new Range(false, i, WHOLE, WHOLE, false));
      }
    }
    return ranges;
  }
}
