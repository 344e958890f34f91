package org.reprise.anomaly.agent.detect.history;

import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.ThreadOrder;

/**
 * Whether an object is one that a {@link ThreadLocal} gave to a thread. As long as no other thread
 * has it, tasks of that thread use it one after the other, on whichever thread they run: they
 * conflict with nobody. That a task finds what another left there depends on the schedule, which
 * the call of {@code ThreadLocal.get} prevents validation for.
 */
public final class Confinement {
  private @Nullable ThreadOrder thread;
  private boolean isShared;

  /** The thread got the object from a thread local. */
  public void confine(ThreadOrder threadOrder) {
    isShared |= thread != null && thread != threadOrder;
    thread = threadOrder;
  }

  /** Whether an access by the thread concerns nobody else; one by another ends that. */
  public boolean covers(ThreadOrder threadOrder) {
    if (thread == null || isShared) {
      return false;
    }
    isShared = thread != threadOrder;
    return !isShared;
  }
}
