package org.reprise.anomaly.agent.detect;

import java.util.Arrays;

/**
 * Whether a thread stands still, so that another may look at what it remembers: at the end of the
 * program there may be threads that nobody waits for. What a thread does in its last block is lost
 * if it never comes to rest; that it need not have ended prevents validation.
 */
final class ThreadStillness {
  /** How many milliseconds all threads together are given. */
  private int patience = 100;

  /** Gives the thread a little time to come to rest. */
  boolean isReachedBy(Thread thread) {
    while (!isNow(thread)) {
      if (patience-- <= 0 || !pause()) {
        return false;
      }
    }
    return true;
  }

  /** False if somebody is in a hurry. */
  private static boolean pause() {
    try {
      Thread.sleep(1);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static boolean isNow(Thread thread) {
    if (thread == Thread.currentThread() || !thread.isAlive()) {
      return true;
    }
    StackTraceElement[] stack = thread.getStackTrace();
    if (stack.length == 0) {
      return !thread.isAlive();
    }
    // One that waits for input counts as running, but stays where it is, in native code.
    boolean waits =
        thread.getState() != Thread.State.RUNNABLE
            || (stack[0].isNativeMethod() && isStill(thread, stack));
    return waits && !isInAgent(stack);
  }

  private static boolean isStill(Thread thread, StackTraceElement[] stack) {
    return pause() && Arrays.equals(stack, thread.getStackTrace());
  }

  /** Whether it is the agent that the innermost code outside the JDK belongs to. */
  private static boolean isInAgent(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      String name = frame.getClassName();
      if (name.startsWith("org.reprise.anomaly.")) {
        return true;
      }
      if (!name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun.")) {
        return false;
      }
    }
    return false;
  }
}
