package org.reprise.anomaly.agent.detect.library;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.Handover;
import org.reprise.anomaly.agent.instrument.program.LibraryCalls;

/**
 * The calls that a thread is in, of objects that synchronise themselves, and that may run code of
 * the program: a function that is handed over, a comparator, {@code equals}. What such code
 * accesses comes after what others did before they changed the object, though the call has not
 * returned yet. On this schedule only, as {@link Handover} says.
 */
public final class OpenCalls {
  /** A call that ends with an exception stays on record: as long as its task lasts, or so many. */
  private static final int CALLS_MAX = 16;

  /** Methods that call those of elements, though none is named. */
  private static final Set<String> ON_ALL = Set.of("sort", "toString", "hashCode", "equals");

  private final Deque<OpenCall> open = new ArrayDeque<>();

  /** What the functions of an object's calls are to each other. */
  public enum Functions {
    /** There is none, or nothing is known of it. */
    NONE,
    /** All others wait while one runs. */
    EXCLUSIVE,
    /**
     * Several may run at once, and again: of what they do, only what becomes the new value is
     * handed on. What a function was given when it was made, or finds in a static field, it has in
     * common with those beside it.
     */
    REPEATED
  }

  /**
   * One of them.
   *
   * @param part what those have in common who name the same key; null if none is named
   * @param made where what repeated functions made is handed on
   * @param function what it was given, if that is known
   * @param task whose call it is
   */
  private record OpenCall(
      Object receiver,
      Handover whole,
      @Nullable Handover part,
      Handover made,
      Functions functions,
      @Nullable Object function,
      int task) {
    OpenCall with(Object given) {
      return new OpenCall(receiver, whole, part, made, functions, given, task);
    }

    boolean isAsPromised() {
      return functions != Functions.NONE;
    }

    Handover promised() {
      if (functions == Functions.REPEATED) {
        return made;
      }
      return part == null ? whole : part;
    }
  }

  /** Whether a method, with how it is used, runs a function of the program. */
  public static boolean takesFunction(String method) {
    return LibraryCalls.takesFunction(Effect.name(method));
  }

  /** Whether the method may call one of an object of this class, or of any that is inside. */
  public static boolean mayRunCode(@Nullable Object argument, String method, boolean isSorted) {
    return isSorted
        || takesFunction(method)
        || ON_ALL.contains(Effect.name(method))
        || (argument != null && argument.getClass().getClassLoader() != null);
  }

  /** Whoever comes after such a call comes after what its function does, and does now. */
  public void stepped(ThreadOrder threadOrder) {
    for (OpenCall call : open) {
      if (call.isAsPromised() && call.task() == threadOrder.task()) {
        call.promised().release(threadOrder, threadOrder.promise());
      }
    }
  }

  /** The thread is about to make such a call. */
  public void begin(
      Object receiver,
      Handover whole,
      @Nullable Handover part,
      Handover made,
      Functions functions,
      ThreadOrder threadOrder) {
    if (open.size() == CALLS_MAX) {
      open.removeFirst();
    }
    OpenCall call = new OpenCall(receiver, whole, part, made, functions, null, threadOrder.task());
    open.addLast(call);
    if (call.isAsPromised()) {
      call.promised().release(threadOrder, threadOrder.promise());
    }
  }

  /** The call of this object that is about to be made is given a function. */
  public void give(Object receiver, Object function) {
    OpenCall last = open.peekLast();
    if (last != null && last.receiver() == receiver) {
      open.removeLast();
      open.addLast(last.with(function));
    }
  }

  public boolean isEmpty() {
    return open.isEmpty();
  }

  /** Whether a call of this object is on record. No stream: those of the program are looked at. */
  public boolean has(Object receiver) {
    for (OpenCall call : open) {
      if (call.receiver() == receiver) {
        return true;
      }
    }
    return false;
  }

  /** The call has returned, and with it those inside; whether a block ends with it. */
  public boolean end(Object receiver) {
    while (true) {
      OpenCall last = open.removeLast();
      if (last.receiver() == receiver) {
        return last.isAsPromised();
      }
    }
  }

  /**
   * Whether the block came before one of these calls, on this schedule.
   *
   * @param owner whose variable the blocks have in common; null for a static field
   */
  public boolean haveSeen(int block, @Nullable Predicate<Object> owner, ThreadOrder threadOrder) {
    for (OpenCall call : open) {
      Handover part = call.part();
      boolean isSeen =
          threadOrder.isOf(call.whole().before(threadOrder), block)
              || (part != null && threadOrder.isOf(part.before(threadOrder), block))
              || (call.functions() == Functions.REPEATED
                  && threadOrder.isOf(call.made().before(threadOrder), block)
                  && !isInCommon(owner, call));
      if (isSeen && call.task() == threadOrder.task()) {
        return true;
      }
    }
    return false;
  }

  /** Whether functions may reach the owner in another way than by the value that they change. */
  private static boolean isInCommon(@Nullable Predicate<Object> owner, OpenCall call) {
    Object function = call.function();
    return owner == null
        || (function != null && Reachable.fromFunction(function).stream().anyMatch(owner));
  }
}
