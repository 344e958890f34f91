package org.reprise.anomaly.hooks;

import org.jspecify.annotations.Nullable;

/**
 * What instrumented code reports of loops that only wait until a variable has the right value, and
 * of writes that such loops may wait for. A value is a number; of a reference it is 1 if there is
 * an object, and 0 if it is null.
 */
public final class Waits {
  /** Added to a test: the loop waits in a lock, and somebody has to wake it up. */
  public static final int IN_LOCK = 8;

  private Waits() {}

  /** The value of a reference. */
  public static long isSet(@Nullable Object reference) {
    return reference == null ? 0 : 1;
  }

  /** Whether a loop is left that ends as soon as this is true of the value. */
  public static boolean holds(int test, long value, long other) {
    return switch (test & ~IN_LOCK) {
      case 0 -> value == other;
      case 1 -> value != other;
      case 2 -> value < other;
      case 3 -> value >= other;
      case 4 -> value > other;
      default -> value <= other;
    };
  }

  /**
   * A loop has read the variable and is about to compare the value; the object is null for a static
   * field.
   *
   * @param signal in what the loop waits, if it waits in a lock: a monitor, or a condition
   */
  public static void tested(
      long value,
      long other,
      @Nullable Object object,
      @Nullable Object signal,
      int test,
      int variable,
      int site,
      Context context) {
    if (context.on && holds(test, value, other)) {
      try {
        Hooks.detector().left(object, variable, site, test, other, signal, context);
      } catch (Throwable e) {
        Hooks.failed(e);
      }
    }
  }

  /**
   * A volatile field is about to be written, after {@link Hooks#writeField}: what the block did so
   * far is before whoever waits for it.
   */
  public static void publish(
      @Nullable Object object, long before, long after, int variable, Context context) {
    if (context.on) {
      try {
        Hooks.detector().publish(object, variable, before, after, context);
      } catch (Throwable e) {
        Hooks.failed(e);
      }
    }
  }

  /** A field is about to be written for which others may wait in a lock. */
  public static void write(
      @Nullable Object object, long before, long after, int variable, Context context) {
    if (context.on) {
      try {
        Hooks.detector().write(object, variable, before, after, context);
      } catch (Throwable e) {
        Hooks.failed(e);
      }
    }
  }

  /** All who wait in the monitor, or for the condition, are woken up. */
  public static void wakesAll(@Nullable Object signal, Context context) {
    if (context.on && signal != null) {
      try {
        Hooks.detector().wakesAll(signal, context);
      } catch (Throwable e) {
        Hooks.failed(e);
      }
    }
  }
}
