package org.reprise.anomaly.agent.detect.library;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.Handover;

/**
 * The calls that a thread is in, of objects that synchronise themselves, and that may run code of
 * the program: a function that is handed over, a comparator, {@code equals}. What such code
 * accesses comes after what others did before they changed the object, though the call has not
 * returned yet. On this schedule only, as {@link Handover} says.
 */
public final class OpenCalls {
  /** A call that ends with an exception stays on record: as long as its task lasts, or so many. */
  private static final int CALLS_MAX = 16;

  /** Methods that run a function of the program. */
  private static final Set<String> WITH_FUNCTION =
      Set.of(
          "compute",
          "computeIfAbsent",
          "computeIfPresent",
          "merge",
          "updateAndGet",
          "getAndUpdate",
          "accumulateAndGet",
          "getAndAccumulate",
          "forEach",
          "replaceAll",
          "removeIf",
          "sort");

  /** Methods that call those of elements, though none is named. */
  private static final Set<String> ON_ALL = Set.of("sort", "toString", "hashCode", "equals");

  private final Deque<OpenCall> open = new ArrayDeque<>();

  /**
   * One of them.
   *
   * @param task whose call it is
   * @param part what those have in common who name the same key; null if none is named
   * @param isExcluding whether all others wait while its function runs
   */
  private record OpenCall(
      Object receiver, Handover whole, @Nullable Handover part, boolean isExcluding, int task) {}

  /** Whether a method, with how it is used, runs a function of the program. */
  public static boolean takesFunction(String method) {
    return WITH_FUNCTION.contains(Effect.name(method));
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
      if (call.isExcluding() && call.task() == threadOrder.task()) {
        promise(call, threadOrder);
      }
    }
  }

  private static void promise(OpenCall call, ThreadOrder threadOrder) {
    Handover part = call.part();
    Handover handover = part == null ? call.whole() : part;
    handover.release(threadOrder, threadOrder.promise());
  }

  /** The thread is about to make such a call. */
  public void begin(
      Object receiver,
      Handover whole,
      @Nullable Handover part,
      boolean isExcluding,
      ThreadOrder threadOrder) {
    if (open.size() == CALLS_MAX) {
      open.removeFirst();
    }
    OpenCall call = new OpenCall(receiver, whole, part, isExcluding, threadOrder.task());
    open.addLast(call);
    if (isExcluding) {
      promise(call, threadOrder);
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
        return last.isExcluding();
      }
    }
  }

  /** Whether the block came before one of these calls, on this schedule. */
  public boolean haveSeen(int block, ThreadOrder threadOrder) {
    for (OpenCall call : open) {
      Handover part = call.part();
      boolean isSeen =
          threadOrder.isOf(call.whole().before(threadOrder), block)
              || (part != null && threadOrder.isOf(part.before(threadOrder), block));
      if (isSeen && call.task() == threadOrder.task()) {
        return true;
      }
    }
    return false;
  }
}
