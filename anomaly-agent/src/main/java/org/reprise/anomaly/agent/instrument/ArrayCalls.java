package org.reprise.anomaly.agent.instrument;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The ranges of arrays that methods of the library read and write. What is not named here reads the
 * arrays that it is given.
 */
public final class ArrayCalls {
  /** Stands for the array's first index, or its length. */
  public static final int WHOLE = -1;

  /** Stands for the index after the first one: one element. */
  public static final int NEXT = -2;

  /** Stands for the array's length, and for all of the arrays in it. */
  public static final int DEEP = -3;

  private static final int NONE = -1;

  /** What fills the array that it is given. */
  private static final Set<String> WRITING =
      Set.of(
          "read",
          "readNBytes",
          "readFully",
          "getChars",
          "getBytes",
          "toChars",
          "toArray",
          "nextBytes",
          "copyInto",
          "enumerate");

  /** What keeps the array, and neither reads nor writes it by itself. */
  private static final Set<String> KEEPING = Set.of("asList", "wrap");

  private ArrayCalls() {}

  /**
   * One range that a call accesses; numbers are positions of arguments.
   *
   * @param from the argument with the first index; {@link #WHOLE} for the start of the array
   * @param to the argument with the index after the last one; {@link #WHOLE} for its length
   * @param isLength {@code to} is a number of elements rather than an index
   * @param less the argument that {@code to} is more than the number by; negative for none
   */
  public record Range(boolean isWrite, int array, int from, int to, boolean isLength, int less) {
    Range(boolean isWrite, int array, int from, int to, boolean isLength) {
      this(isWrite, array, from, to, isLength, NONE);
    }

    static Range whole(boolean isWrite, int array) {
      return new Range(isWrite, array, WHOLE, WHOLE, false);
    }
  }

  /** The ranges that a call accesses; empty for one that accesses no array of others. */
  public static List<Range> of(MethodInsnNode call) {
    Type[] arguments = Type.getArgumentTypes(call.desc);
    int fresh = isLastFresh(call) ? arguments.length - 1 : NONE;
    return all(call.owner, call.name, arguments).stream()
        .filter(range -> range.array() != fresh)
        .toList();
  }

  private static List<Range> all(String owner, String name, Type[] arguments) {
    return switch (owner) {
      case "java/lang/System" ->
          name.equals("arraycopy")
              ? List.of(new Range(false, 0, 1, 4, true), new Range(true, 2, 3, 4, true))
              : List.of();
      case "java/util/Arrays" ->
          arguments.length == 0 || arguments[0].getSort() != Type.ARRAY
              ? List.of()
              : ofArrays(name, arguments);
      default ->
          !owner.startsWith("java/")
                  || owner.startsWith("java/lang/invoke/")
                  || KEEPING.contains(name)
              ? List.of()
              : given(owner, name, arguments);
    };
  }

  private static List<Range> ofArrays(String name, Type[] arguments) {
    return switch (name) {
      case "fill", "sort", "parallelSort", "parallelPrefix" -> ranges(true, arguments);
      case "copyOfRange", "stream", "spliterator", "binarySearch" -> ranges(false, arguments);
      case "setAll" -> List.of(Range.whole(true, 0));
      case "copyOf" -> List.of(new Range(false, 0, WHOLE, 1, false));
      case "equals", "compare", "mismatch", "hashCode", "toString" -> each(arguments, WHOLE);
      case "deepEquals", "deepHashCode", "deepToString" -> each(arguments, DEEP);
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
    return bounded ? List.of(new Range(isWrite, 0, 1, 2, false)) : List.of(Range.whole(isWrite, 0));
  }

  private static List<Range> each(Type[] arguments, int to) {
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].getSort() == Type.ARRAY) {
        ranges.add(new Range(false, i, WHOLE, to, false));
      }
    }
    return ranges;
  }

  /** Of the rest of the library: an array may be followed by an offset and a number of elements. */
  private static List<Range> given(String owner, String name, Type[] arguments) {
    boolean isWrite = WRITING.contains(name) || (name.equals("get") && owner.endsWith("Buffer"));
    List<Range> ranges = new ArrayList<>();
    for (Range whole : each(arguments, WHOLE)) {
      int array = whole.array();
      int indices = indicesBehind(array, arguments);
      if (indices == 2) {
        ranges.add(new Range(isWrite, array, array + 1, array + 2, true));
      } else if (indices == 1 && array == 2) {
        // getChars(from, to, array, at)
        ranges.add(new Range(isWrite, array, array + 1, 1, true, 0));
      } else if (indices == 1 && owner.equals("java/lang/Character")) {
        ranges.add(new Range(isWrite, array, array + 1, NEXT, false));
      } else {
        ranges.add(Range.whole(isWrite, array));
      }
    }
    return ranges;
  }

  private static int indicesBehind(int array, Type[] arguments) {
    int behind = array + 1;
    while (behind < arguments.length && arguments[behind] == Type.INT_TYPE) {
      behind++;
    }
    return behind - array - 1;
  }

  /** Whether the last argument is an array that was made for the call: nobody else has it. */
  private static boolean isLastFresh(MethodInsnNode call) {
    AbstractInsnNode made = call.getPrevious();
    while (made != null && made.getOpcode() < 0) {
      made = made.getPrevious();
    }
    if (made == null) {
      return false;
    }
    int opcode = made.getOpcode();
    return (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE)
        || opcode == Opcodes.NEWARRAY
        || opcode == Opcodes.ANEWARRAY;
  }
}
