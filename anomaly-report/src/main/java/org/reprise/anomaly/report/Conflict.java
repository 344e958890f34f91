package org.reprise.anomaly.report;

import java.util.List;
import java.util.Locale;

/**
 * Two accesses of one variable, at least one of them a write, that no order protects; or a function
 * whose result depends on how a stream is split, which is both of them.
 *
 * @param variable as the source calls it; elements of arrays as {@code grid[*]}
 * @param field the field with the name of its class in full, as masks call it; else the variable
 * @param example the element that the two met at, such as {@code grid[17]}; the variable itself
 *     where there are no elements
 * @param isVolatile the variable is a volatile field or an object that synchronises itself
 */
public record Conflict(
    Type type,
    Kind kind,
    String variable,
    String field,
    String example,
    boolean isVolatile,
    End source,
    End sink) {
  /** What is wrong with the accesses, and what to do about it. */
  public enum Type {
    /** Nothing protects them. */
    ANOMALY("anomaly", "give each block its own, or hold one lock wherever it is accessed"),
    /** One of them holds a lock that the other does not hold. */
    INCONSISTENT_LOCKING(
        "anomaly: the accesses hold no common lock", "hold the same lock wherever it is accessed"),
    /** A function whose result depends on how a stream is split. */
    MISUSE(
        "anomaly: the result depends on how the stream is split",
        "use a function that associates, and an identity that is one"),
    /**
     * Both hold one lock, or the variable is volatile or atomic, or one came after the other by way
     * of such: they are ordered, but the schedule chooses how.
     */
    LOCK_ORDERED(
        "lock-ordered: who comes first is schedule-dependent",
        "order the blocks, or mask it if the order does not matter");

    private final String words;
    private final String advice;

    Type(String words, String advice) {
      this.words = words;
      this.advice = advice;
    }

    /** For machines: {@code lock-ordered}. */
    public String id() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** For people, behind the variable. */
    public String words() {
      return words;
    }

    /** What to do, where nothing better is known. */
    public String advice() {
      return advice;
    }
  }

  /** Source and sink: the access that was seen first, and the one that met it. */
  public enum Kind {
    WRITE_WRITE,
    WRITE_READ,
    READ_WRITE,
    NOT_ASSOCIATIVE,
    NOT_AN_IDENTITY;

    /** {@code WRITE-READ}. */
    public String text() {
      return name().replace('_', '-');
    }
  }

  /**
   * One of the two accesses.
   *
   * @param className with dots
   * @param file the source file, or the class name where the class file does not say
   * @param line 0 where the class file does not say
   * @param call the library method called, as {@code Map.put}; empty for fields and arrays
   * @param block with the tasks that it came from
   * @param locks the classes of the locks held
   * @param stack the calls above, outermost last; empty unless asked for
   */
  public record End(
      String className,
      String method,
      String file,
      int line,
      String call,
      Lineage block,
      List<String> locks,
      List<String> stack) {
    /** As stack traces print it. */
    public String place() {
      return line > 0 ? file + ":" + line : file;
    }

    /** The method with its class. */
    String member() {
      return className + "." + method;
    }
  }

  public boolean isAnomaly() {
    return type != Type.LOCK_ORDERED;
  }

  /** The same on every schedule: which statements, on which variable. */
  public String key() {
    return type + " " + pair();
  }

  /** The same whatever is wrong with the two. */
  public String pair() {
    String one = source.member() + ":" + source.line();
    String other = sink.member() + ":" + sink.line();
    String places = one.compareTo(other) <= 0 ? one + " " + other : other + " " + one;
    String what = kind == Kind.WRITE_WRITE ? "write" : "read";
    return what + " " + variable + " " + places;
  }

  /** A short name for masks: eight hexadecimal digits. */
  public String id() {
    return String.format("%08x", key().hashCode());
  }
}
