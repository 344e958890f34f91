package org.reprise.anomaly.hooks;

import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/**
 * The accesses of instrumented code. Operands come first, in the order in which they lie on the
 * operand stack, then the site, then the context; a check stands before the access it checks, so it
 * accepts null and indices out of range, which the access itself will complain about.
 *
 * <p>Hot path: one test of {@link Context#on} while the program is serial. Benchmarks: {@code
 * bench/}, the kernels of access anomalies.
 */
public final class Hooks {
  private static final ThreadLocal<Context> CONTEXTS = new ThreadLocal<>();

  private static @Nullable Detector detector;

  private Hooks() {}

  /** From now on accesses are checked; there is one detector for the life of the JVM. */
  public static void install(Detector newDetector) {
    detector = newDetector;
  }

  /** The current thread's context: always the same one for the same thread. */
  public static Context context() {
    Context context = CONTEXTS.get();
    return context == null ? newContext() : context;
  }

  private static Context newContext() {
    Detector installed = detector;
    if (installed == null) {
      return Context.OFF;
    }
    Context context = installed.newContext();
    CONTEXTS.set(context);
    return context;
  }

  /** {@code array[index]} is about to be read. */
  public static void readElement(@Nullable Object array, int index, int site, Context context) {
    if (context.on && array != null) {
      detector().readElement(array, index, site, context);
    }
  }

  /** {@code array[index]} is about to be written. */
  public static void writeElement(@Nullable Object array, int index, int site, Context context) {
    if (context.on && array != null) {
      detector().writeElement(array, index, site, context);
    }
  }

  /**
   * The current block read {@code array[from]}, {@code array[from + stride]}, ... below {@code to}
   * (a negative stride: down to but excluding {@code to}). Nothing if the range is empty. Elements
   * outside the array are ignored.
   */
  public static void readRange(
      @Nullable Object array, int from, int to, int stride, int site, Context context) {
    if (context.on && array != null && from != to) {
      detector().readRange(array, from, to, stride, site, context);
    }
  }

  /** As {@link #readRange}, for elements that the current block wrote. */
  public static void writeRange(
      @Nullable Object array, int from, int to, int stride, int site, Context context) {
    if (context.on && array != null && from != to) {
      detector().writeRange(array, from, to, stride, site, context);
    }
  }

  /** Every element of {@code array} is about to be read. */
  public static void readAll(@Nullable Object array, int site, Context context) {
    if (context.on && array != null) {
      readRange(array, 0, Array.getLength(array), 1, site, context);
    }
  }

  /** Every element of {@code array} is about to be written. */
  public static void writeAll(@Nullable Object array, int site, Context context) {
    if (context.on && array != null) {
      writeRange(array, 0, Array.getLength(array), 1, site, context);
    }
  }

  /** The field {@code variable} of {@code object} is about to be read. */
  public static void readField(@Nullable Object object, int variable, int site, Context context) {
    if (context.on && object != null) {
      detector().readField(object, variable, site, context);
    }
  }

  /** The field {@code variable} of {@code object} is about to be written. */
  public static void writeField(@Nullable Object object, int variable, int site, Context context) {
    if (context.on && object != null) {
      detector().writeField(object, variable, site, context);
    }
  }

  /** The static field {@code variable} is about to be read. */
  public static void readStatic(int variable, int site, Context context) {
    if (context.on) {
      detector().readStatic(variable, site, context);
    }
  }

  /** The static field {@code variable} is about to be written. */
  public static void writeStatic(int variable, int site, Context context) {
    if (context.on) {
      detector().writeStatic(variable, site, context);
    }
  }

  /**
   * A method of the library is about to be called on {@code receiver}: of a collection, an atomic
   * variable, a string builder. The site names the method; whether it reads or writes depends on it
   * and on the receiver's class.
   */
  public static void call(@Nullable Object receiver, int site, Context context) {
    if (context.on && receiver != null) {
      detector().call(receiver, site, context);
    }
  }

  /**
   * A method of {@code receiver} returned {@code view}, which leads back to it: an iterator, a
   * sublist.
   */
  public static void view(
      @Nullable Object view, @Nullable Object receiver, int site, Context context) {
    if (view != null && receiver != null) {
      detectorOrNone().view(view, receiver, site, context);
    }
  }

  /** The current thread got the lock. */
  public static void enter(@Nullable Object lock, Context context) {
    if (lock != null) {
      detectorOrNone().enter(lock, context);
    }
  }

  /** The current thread tried to get the lock. */
  public static void tried(boolean got, @Nullable Object lock, Context context) {
    if (got) {
      enter(lock, context);
    }
  }

  /** The current thread is about to give the lock back. */
  public static void exit(@Nullable Object lock, Context context) {
    if (lock != null) {
      detectorOrNone().exit(lock, context);
    }
  }

  /**
   * Something is about to happen that the detector cannot see through: a clock, a random source,
   * reflection, code that is not instrumented. The site names it.
   */
  public static void hazard(int site, Context context) {
    if (context.on) {
      detector().hazard(site, context);
    }
  }

  /** The detector; called where a context that is on proves that there is one. */
  @SuppressWarnings("NullAway")
  private static Detector detector() {
    return detector;
  }

  static Detector detectorOrNone() {
    Detector installed = detector;
    return installed == null ? Detector.NONE : installed;
  }
}
