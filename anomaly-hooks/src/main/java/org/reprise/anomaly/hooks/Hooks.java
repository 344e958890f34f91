package org.reprise.anomaly.hooks;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** Groups of fields, by number. */
  private static volatile int[][] groups = new int[64][];

  private static int groupCount;

  /** How many groups there are of each class. */
  private static final Map<String, Integer> GROUPS_OF = new HashMap<>();

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
    if (context.on && array != null && !context.goesOn(array, index, index + 1, 1, 2 * site)) {
      Checks.readElement(array, index, site, context);
    }
  }

  /** {@code array[index]} is about to be written. */
  public static void writeElement(@Nullable Object array, int index, int site, Context context) {
    if (context.on && array != null && !context.goesOn(array, index, index + 1, 1, 2 * site + 1)) {
      Checks.writeElement(array, index, site, context);
    }
  }

  /**
   * The current block read {@code array[from]}, {@code array[from + stride]}, ... below {@code to}
   * (a negative stride: down to but excluding {@code to}). Nothing if the range is empty. Elements
   * outside the array are ignored.
   */
  public static void readRange(
      @Nullable Object array, int from, int to, int stride, int site, Context context) {
    if (context.on
        && array != null
        && from != to
        && !context.goesOn(array, from, to, stride, 2 * site)) {
      Checks.readRange(array, from, to, stride, site, context);
    }
  }

  /** As {@link #readRange}, for elements that the current block wrote. */
  public static void writeRange(
      @Nullable Object array, int from, int to, int stride, int site, Context context) {
    if (context.on
        && array != null
        && from != to
        && !context.goesOn(array, from, to, stride, 2 * site + 1)) {
      Checks.writeRange(array, from, to, stride, site, context);
    }
  }

  /**
   * The current block read a range of each of some rows: {@code rows[rowFrom][from]}, and so on,
   * both as in {@link #readRange}. That it read the rows themselves is reported besides.
   */
  public static void readRows(
      @Nullable Object rows,
      int rowFrom,
      int rowTo,
      int rowStride,
      int from,
      int to,
      int stride,
      int site,
      Context context) {
    if (context.on && rows instanceof Object[] all && rowFrom != rowTo && from != to) {
      Checks.readRows(all, rowFrom, rowTo, rowStride, from, to, stride, site, context);
    }
  }

  /** As {@link #readRows}, for elements that the current block wrote. */
  public static void writeRows(
      @Nullable Object rows,
      int rowFrom,
      int rowTo,
      int rowStride,
      int from,
      int to,
      int stride,
      int site,
      Context context) {
    if (context.on && rows instanceof Object[] all && rowFrom != rowTo && from != to) {
      Checks.writeRows(all, rowFrom, rowTo, rowStride, from, to, stride, site, context);
    }
  }

  /** Whether this call of a method stands for many, or asks what they are going to do. */
  public static boolean isAhead(int body, Context context) {
    return context.isAhead(body);
  }

  /** Whether a method is asked what it is going to do, rather than to do it. */
  public static boolean isQueried(Context context) {
    return context.isQueried();
  }

  /** How many calls of the method this question is about: each with the next number. */
  public static int callsQueried(Context context) {
    return context.callsQueried();
  }

  /** What these calls do has been said. */
  public static void declared(Context context) {
    context.declared();
  }

  /** How many calls of the method this one stands for. */
  public static int takeCalls(Context context) {
    return context.takeCalls();
  }

  /**
   * This call accesses a range of {@code array}, as in {@link #readRange}, and each of the next
   * ones does so further by {@code shift}; the array holds all of that.
   */
  public static void each(
      @Nullable Object array,
      int from,
      int to,
      int stride,
      int shift,
      int calls,
      boolean isWrite,
      int site,
      Context context) {
    if (context.on && array != null) {
      Checks.each(array, from, to, stride, shift, calls, isWrite, site, context);
    }
  }

  /**
   * As {@link #each}, each time in the next row.
   *
   * @param isConstant the rows are always the same
   */
  public static void eachRow(
      @Nullable Object rows,
      int first,
      int from,
      int to,
      int stride,
      int shift,
      int calls,
      boolean isConstant,
      boolean isWrite,
      int site,
      Context context) {
    if (context.on && rows instanceof Object[] all) {
      Checks.eachRow(
          all, first, from, to, stride, shift, calls, isConstant, isWrite, site, context);
    }
  }

  /** Where a nest of loops gathers ranges; null while nothing is checked. */
  public static @Nullable Rectangle rectangle(boolean isWrite, int site, Context context) {
    return context.on ? new Rectangle(isWrite, site, context) : null;
  }

  public static void add(@Nullable Object array, int index, @Nullable Rectangle rectangle) {
    if (rectangle != null && array != null && !rectangle.goesOn(array, index)) {
      rectangle.add(array, index);
    }
  }

  public static void add(
      @Nullable Object array, int from, int to, int stride, @Nullable Rectangle rectangle) {
    if (rectangle != null && array != null) {
      rectangle.add(array, 0, 0, 0, from, to, stride);
    }
  }

  public static void add(
      @Nullable Object rows,
      int rowFrom,
      int rowTo,
      int rowStride,
      int from,
      int to,
      int stride,
      @Nullable Rectangle rectangle) {
    if (rectangle != null && rows != null) {
      rectangle.add(rows, rowFrom, rowTo, rowStride, from, to, stride);
    }
  }

  public static void report(@Nullable Rectangle rectangle) {
    if (rectangle != null) {
      rectangle.report();
    }
  }

  /** Where a loop lists indices; null while nothing is checked. */
  public static @Nullable Indices indices(boolean isWrite, int site, Context context) {
    return context.on ? context.indices(isWrite, site) : null;
  }

  public static void add(@Nullable Object array, int index, @Nullable Indices indices) {
    if (indices != null && array != null) {
      indices.add(array, index);
    }
  }

  /** As {@link #add(Object, int, Indices)}, unless {@code isDone} is 1. */
  public static void addUnless(
      @Nullable Object array, int index, int isDone, @Nullable Indices indices) {
    if (isDone == 0 && indices != null && array != null) {
      indices.add(array, index);
    }
  }

  public static void report(@Nullable Indices indices) {
    if (indices != null) {
      indices.finish();
    }
  }

  /**
   * The current block read the elements of {@code array} whose indices are {@code indices[from]},
   * {@code indices[from + stride]}, ... up to but excluding {@code indices[to]}.
   *
   * @param isConstant nobody writes the indices any more
   */
  public static void readThrough(
      @Nullable Object array,
      @Nullable Object indices,
      int from,
      int to,
      int stride,
      boolean isConstant,
      int site,
      Context context) {
    if (context.on && array != null && indices instanceof int[] all) {
      if (!isConstant) {
        context.indices(false, site).addAll(array, all, from, to, stride);
      } else if (!context.goesThrough(array, all, from, to, stride, 2 * site)) {
        Checks.through(array, all, from, to, stride, false, site, context);
      }
    }
  }

  /** As {@link #readThrough}, for elements that the current block wrote. */
  public static void writeThrough(
      @Nullable Object array,
      @Nullable Object indices,
      int from,
      int to,
      int stride,
      boolean isConstant,
      int site,
      Context context) {
    if (context.on && array != null && indices instanceof int[] all) {
      if (!isConstant) {
        context.indices(true, site).addAll(array, all, from, to, stride);
      } else if (!context.goesThrough(array, all, from, to, stride, 2 * site + 1)) {
        Checks.through(array, all, from, to, stride, true, site, context);
      }
    }
  }

  /**
   * The {@link Route} of a loop that is about to be entered. Null where the loop may have none, and
   * while nothing is checked.
   *
   * @param length of the shortest array that is accessed at the indices in the rows
   */
  public static @Nullable Route route(
      @Nullable Object rows,
      @Nullable Object numbers,
      int from,
      int to,
      int low,
      int high,
      int length,
      Context context) {
    return context.on && rows instanceof int[][] all && numbers instanceof int[] each
        ? within(Checks.route(all, each, from, to, low, high), length)
        : null;
  }

  /** As {@link #route}, of a loop whose numbers are the rows' own. */
  public static @Nullable Route route(
      @Nullable Object rows, int from, int to, int low, int high, int length, Context context) {
    return context.on && rows instanceof int[][] all
        ? within(Checks.route(all, null, from, to, low, high), length)
        : null;
  }

  private static @Nullable Route within(@Nullable Route route, int length) {
    return route == null || route.highest() >= length ? null : route;
  }

  /** 1 if a loop has its route, so that its calls need no checks, or if nothing is checked. */
  public static int needsNoChecks(@Nullable Route route, Context context) {
    return route != null || !context.on ? 1 : 0;
  }

  /**
   * The current block reads the elements of {@code array} whose indices are in the rows of a route,
   * at {@code from}, {@code from + stride}, ... up to but excluding {@code to}; nothing without a
   * route.
   */
  public static void readThrough(
      @Nullable Object array,
      @Nullable Route route,
      int from,
      int to,
      int stride,
      int site,
      Context context) {
    if (route != null && array != null) {
      Checks.through(array, route, from, to, stride, false, site, context);
    }
  }

  /** As {@link #readThrough}, for elements that the current block writes. */
  public static void writeThrough(
      @Nullable Object array,
      @Nullable Route route,
      int from,
      int to,
      int stride,
      int site,
      Context context) {
    if (route != null && array != null) {
      Checks.through(array, route, from, to, stride, true, site, context);
    }
  }

  /** Every element of {@code array} is about to be read. */
  public static void readAll(@Nullable Object array, int site, Context context) {
    if (context.on && array != null) {
      readRange(array, 0, Array.getLength(array), 1, site, context);
    }
  }

  /** As {@link #readAll}, of the array and of all arrays in it. */
  public static void readDeep(@Nullable Object array, int site, Context context) {
    if (context.on && array != null) {
      readAll(array, site, context);
      // By its type, since an array of objects may contain itself.
      if (array instanceof Object[] rows && array.getClass().getComponentType().isArray()) {
        for (Object row : rows) {
          readDeep(row, site, context);
        }
      }
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
      Checks.readField(object, variable, site, context);
    }
  }

  /**
   * The number of a group of fields: their variables and sites in turn. It ends with the bit by
   * which shadows know the group. An object has one shadow, whichever of the classes that it
   * extends a field is of: the topmost of them tells their groups apart.
   *
   * @param topmost empty if it is not known, so that the group has no bit
   */
  public static synchronized int group(String topmost, int[] fields) {
    int bit =
        topmost.isEmpty()
            ? Shadow.NO_BIT
            : Math.min(GROUPS_OF.merge(topmost, 1, Integer::sum) - 1, Shadow.NO_BIT);
    int[][] all = groupCount < groups.length ? groups : Arrays.copyOf(groups, 2 * groupCount);
    all[groupCount] = fields;
    groups = all;
    return groupCount++ * Long.SIZE + bit;
  }

  /**
   * The fields of {@code object} that a group names are about to be read.
   *
   * @param place where it holds its shadow; null if that is not known
   */
  public static void readFields(
      @Nullable Object object, Shadows.@Nullable Place place, int group, Context context) {
    if (context.on && object != null) {
      Shadow shadow =
          place == null || place.offset() == 0 ? null : Shadows.get(object, place.offset());
      if (shadow == null || !shadow.isReadByMany(group, context)) {
        Checks.readFields(object, groups[group / Long.SIZE], group, context);
      }
    }
  }

  /**
   * A loop is about to read a group of fields, of objects of an array that always holds the same
   * ones: 1 if that adds nothing, whichever of them it reads; else 0.
   */
  public static int areRead(@Nullable Object array, int group, Context context) {
    long loop = context.loop;
    if (!context.on || loop == 0 || array == null) {
      return 0;
    }
    ReadArrays known = context.readArrays;
    boolean areRead =
        known.contains(array, group, loop)
            || (known.mayLook(group, loop) && Checks.looksRead(array, group, context));
    return areRead ? 1 : 0;
  }

  /** As {@link #readFields}, unless {@link #areRead} said before the loop that it adds nothing. */
  public static void readFieldsUnless(
      @Nullable Object object,
      Shadows.@Nullable Place place,
      int areRead,
      int group,
      Context context) {
    if (areRead == 0) {
      readFields(object, place, group, context);
    }
  }

  /** The field {@code variable} of {@code object} is about to be written. */
  public static void writeField(@Nullable Object object, int variable, int site, Context context) {
    if (context.on && object != null) {
      Checks.writeField(object, variable, site, context);
    }
  }

  /** The static field {@code variable} is about to be read. */
  public static void readStatic(int variable, int site, Context context) {
    if (context.on && !context.isReadByMany(site)) {
      Checks.readStatic(variable, site, context);
    }
  }

  /** The static field {@code variable} is about to be written. */
  public static void writeStatic(int variable, int site, Context context) {
    if (context.on) {
      Checks.writeStatic(variable, site, context);
    }
  }

  /** As {@link #readStatic}, unless {@code happened} is 0. */
  public static void readStaticIf(int happened, int variable, int site, Context context) {
    if (happened != 0) {
      readStatic(variable, site, context);
    }
  }

  /** As {@link #writeStatic}, unless {@code happened} is 0. */
  public static void writeStaticIf(int happened, int variable, int site, Context context) {
    if (happened != 0) {
      writeStatic(variable, site, context);
    }
  }

  /**
   * A method of the library is about to be called on {@code receiver}: of a collection, an atomic
   * variable, a string builder. The site names the method; whether it reads or writes depends on it
   * and on the receiver's class.
   */
  public static void call(@Nullable Object receiver, int site, Context context) {
    if (context.on && receiver != null) {
      try {
        detector().call(receiver, site, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** As {@link #call}, of a method that names an element or a key. */
  public static void callPart(
      @Nullable Object receiver, @Nullable Object part, int site, Context context) {
    if (context.on && receiver != null) {
      if (part == null) {
        try {
          detector().call(receiver, site, context);
        } catch (Throwable e) {
          failed(e);
        }
      } else {
        try {
          detector().callPart(receiver, part, site, context);
        } catch (Throwable e) {
          failed(e);
        }
      }
    }
  }

  /** As {@link #call}, of a method that names an element by its index. */
  public static void callPart(@Nullable Object receiver, int index, int site, Context context) {
    if (context.on && receiver != null) {
      try {
        detector().callPart(receiver, index, site, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** The call that {@link #callPart} or {@link #call} announced has returned. */
  public static void called(
      @Nullable Object receiver, @Nullable Object part, int site, Context context) {
    if (context.on && receiver != null) {
      try {
        detector().called(receiver, part, site, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** As above, of a method that names an element by its index. */
  public static void called(@Nullable Object receiver, int index, int site, Context context) {
    if (context.on && receiver != null) {
      try {
        detector().called(receiver, index, site, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** A method that puts an element into {@code queue} returned whether it was accepted. */
  public static void put(boolean isAccepted, @Nullable Object queue, Context context) {
    if (context.on && queue != null) {
      try {
        detector().put(isAccepted, queue, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** A method of {@code queue} returned whether it took {@code element} from it. */
  public static void removed(
      boolean isRemoved,
      @Nullable Object element,
      @Nullable Object queue,
      int site,
      Context context) {
    if (isRemoved) {
      took(element, queue, site, context);
    }
  }

  /** All elements of {@code queue} are added to the collection, or to the one returned instead. */
  public static @Nullable Collection<?> drain(
      @Nullable Collection<?> into, @Nullable Object queue, Context context) {
    if (context.on && into != null && queue != null && into != queue) {
      try {
        return detector().drain(into, queue, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
    return into;
  }

  /**
   * A method of {@code queue} returned {@code element}, which it took from it or has seen in it;
   * null for none.
   */
  public static void took(
      @Nullable Object element, @Nullable Object queue, int site, Context context) {
    if (context.on && element != null && queue != null) {
      try {
        detector().took(element, queue, site, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /**
   * What was found since the last time, as JSON, with the verdict on it; and forgets it. For
   * whoever judges parts of a run, such as the tests of a suite. Null without a detector.
   */
  public static @Nullable String takeVerdict() {
    return detectorOrNone().takeVerdict();
  }

  /**
   * As {@link #takeVerdict}, in words: first the verdict alone, then the findings, what stands in
   * the way, and a summary.
   */
  public static @Nullable List<String> takeVerdictLines() {
    return detectorOrNone().takeVerdictLines();
  }

  /** The volatile field {@code variable} was read; the object is null for a static one. */
  public static void readVolatile(
      @Nullable Object object, int variable, int site, Context context) {
    if (context.on) {
      try {
        detector().readVolatile(object, variable, site, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /**
   * A stream is about to be ended, by a method that the site names.
   *
   * @param body the number of the method that is called for each element, and nothing else; 0 if
   *     that is not known
   */
  public static void end(@Nullable Object stream, int body, int site, Context context) {
    if (stream != null && context != Context.OFF) {
      context.ends(stream, site, body);
    }
  }

  /**
   * A stream is about to end in a result that depends on how it is split, if it is a parallel one.
   * The site says why.
   */
  public static void reduce(@Nullable Object stream, int site, Context context) {
    if (stream != null) {
      try {
        detectorOrNone().reduce(stream, site, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /**
   * A class begins or ends its initialisation. It may happen inside any block, whichever is first,
   * but it is over before every use of the class, so it is no part of that block.
   */
  public static void initialize(boolean begins, Context context) {
    try {
      detectorOrNone().initialize(begins, context);
    } catch (Throwable e) {
      failed(e);
    }
  }

  /**
   * A method of {@code receiver} returned {@code view}, which leads back to it: an iterator, a
   * sublist.
   */
  public static void view(
      @Nullable Object view, @Nullable Object receiver, int site, Context context) {
    if (view != null && receiver != null) {
      try {
        detectorOrNone().view(view, receiver, site, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** The current thread got the lock. */
  public static void enter(@Nullable Object lock, Context context) {
    if (lock != null) {
      try {
        detectorOrNone().enter(lock, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /**
   * A variable is about to be written past the checks, in a way that orders, by a handle or through
   * an object; null for a fence.
   */
  public static void releases(@Nullable Object object, Context context) {
    if (context.on) {
      try {
        detector().releases(object, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** As {@link #releases}: it was read. */
  public static void acquires(@Nullable Object object, Context context) {
    if (context.on) {
      try {
        detector().acquires(object, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** A thread local gave the object to the current thread. */
  public static void confine(@Nullable Object object, Context context) {
    if (context.on && object != null) {
      try {
        detector().confine(object, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** The current thread is about to wait in the lock, which it gives back meanwhile. */
  public static void waits(@Nullable Object lock, Context context) {
    if (context.on && lock != null) {
      try {
        detector().waits(lock, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** It has the lock again. */
  public static void waited(@Nullable Object lock, Context context) {
    if (context.on && lock != null) {
      try {
        detector().waited(lock, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** The current thread tried to get the lock. */
  public static void tried(boolean got, @Nullable Object lock, Context context) {
    if (got && lock != null) {
      try {
        detectorOrNone().tried(lock, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** The current thread is about to give the lock back. */
  public static void exit(@Nullable Object lock, Context context) {
    if (lock != null) {
      try {
        detectorOrNone().exit(lock, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /**
   * Something is about to happen that the detector cannot see through: a clock, a random source,
   * reflection, code that is not instrumented. The site names it.
   */
  public static void hazard(int site, Context context) {
    if (context.on) {
      try {
        detector().hazard(site, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** As {@link #hazard}, if the object has no hash code of its own. */
  public static void hash(@Nullable Object object, int site, Context context) {
    if (context.on && object != null) {
      try {
        detector().hash(object, site, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** As {@link #hazard}, if the object has no text of its own and is made one. */
  public static void text(@Nullable Object object, int site, Context context) {
    if (context.on && object != null) {
      try {
        detector().text(object, site, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** A function of the object is about to be handed over. */
  public static void binds(@Nullable Object object, Context context) {
    if (context.on && object != null) {
      try {
        detector().binds(object, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** The call of {@code receiver} that was announced is given a function, which it may run. */
  public static void gives(@Nullable Object receiver, @Nullable Object function, Context context) {
    if (context.on && receiver != null && function != null) {
      try {
        detector().gives(receiver, function, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** The current thread is about to ask how far others are. The site names it. */
  public static void question(int site, Context context) {
    if (context.on) {
      try {
        detector().question(site, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** A method is entered of a class that is not instrumented, which has this number. */
  public static void outside(int number) {
    Context context = context();
    if (context.on) {
      try {
        detector().outside(number, context);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  /** Something is about to happen that depends on the schedule by itself, whoever does it. */
  public static void obstacle(int site, Context context) {
    try {
      detectorOrNone().obstacle(site, context);
    } catch (Throwable e) {
      failed(e);
    }
  }

  /** The detector has a fault; the program must not have it, too. */
  static void failed(Throwable fault) {
    detectorOrNone().failed(fault);
  }

  /** The detector; called where a context that is on proves that there is one. */
  @SuppressWarnings("NullAway")
  static Detector detector() {
    return detector;
  }

  static Detector detectorOrNone() {
    Detector installed = detector;
    return installed == null ? Detector.NONE : installed;
  }
}
