package org.reprise.anomaly.agent.detect;

import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Strand;

/**
 * Whether an object is one that a {@link ThreadLocal} gave to a thread. As long as no other thread
 * has it, tasks of that thread use it one after the other, on whichever thread they run: they
 * conflict with nobody. That a task finds what another left there depends on the schedule, which
 * the call of {@code ThreadLocal.get} prevents validation for.
 */
final class Confinement {
  private @Nullable Strand thread;
  private boolean isShared;

  /** The thread got the object from a thread local. */
  void confine(Strand strand) {
    isShared |= thread != null && thread != strand;
    thread = strand;
  }

  /** Whether an access by the strand concerns nobody else; one by another ends that. */
  boolean covers(Strand strand) {
    if (thread == null || isShared) {
      return false;
    }
    isShared = thread != strand;
    return !isShared;
  }
}
