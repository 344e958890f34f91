package org.reprise.anomaly.agent.report;

import java.util.List;
import java.util.Locale;
import org.reprise.anomaly.agent.instrument.program.Site;

/**
 * Two accesses of one variable, at least one of them a write, that no order protects.
 *
 * @param variable as the source calls it; elements of arrays as {@code grid[*]}
 * @param field the field with the name of its class in full, as masks call it; else the variable
 * @param example the element that the two met at, such as {@code grid[17]}; the variable itself
 *     where there are no elements
 * @param isVolatile the variable is a volatile field or an object that synchronises itself
 */
public record Finding(
    Type type,
    Kind kind,
    String variable,
    String field,
    String example,
    boolean isVolatile,
    End source,
    End sink) {
  /** What a finding says about the accesses. */
  public enum Type {
    /** Nothing protects them. */
    ANOMALY,
    /** One of them holds a lock that the other does not hold. */
    INCONSISTENT_LOCKING,
    /** A function whose result depends on how a stream is split. */
    MISUSE,
    /**
     * Both hold one lock, or the variable is volatile or atomic, or one came after the other by way
     * of such: they are ordered, but the schedule chooses how.
     */
    LOCK_ORDERED;

    /** For machines: {@code lock-ordered}. */
    public String id() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Source and sink: the access that was seen first, and the one that met it. */
  public enum Kind {
    WRITE_WRITE("WRITE-WRITE"),
    WRITE_READ("WRITE-READ"),
    READ_WRITE("READ-WRITE"),
    NOT_ASSOCIATIVE("NOT-ASSOCIATIVE"),
    NOT_AN_IDENTITY("NOT-AN-IDENTITY");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /**
   * One of the two accesses.
   *
   * @param block such as "iteration 17 of the loop at Solver.java:88"
   * @param locks the classes of the locks held
   * @param stack the calls above, outermost last; empty unless asked for
   */
  public record End(Site site, String block, List<String> locks, List<String> stack) {}

  public boolean isAnomaly() {
    return type != Type.LOCK_ORDERED;
  }

  /** The same on every schedule: which statements, on which variable. */
  public String key() {
    return type + " " + pair();
  }

  /** The same whatever is wrong with the two. */
  String pair() {
    String one = place(source.site());
    String other = place(sink.site());
    String places = one.compareTo(other) <= 0 ? one + " " + other : other + " " + one;
    String what = kind == Kind.WRITE_WRITE ? "write" : "read";
    return what + " " + variable + " " + places;
  }

  private static String place(Site site) {
    return site.className() + "." + site.method() + ":" + site.line();
  }

  /** A short name for masks: eight hexadecimal digits. */
  public String id() {
    return String.format("%08x", key().hashCode());
  }
}
