package org.reprise.anomaly.agent.detect.history;

import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.ThreadOrder;

/**
 * Where blocks meet in an order that the schedule chooses: a lock, a volatile field, a variable of
 * java.util.concurrent. Who comes later has seen what those did who came before (Java Language
 * Specification, 17.4.5). That is so on this schedule only: it tells a conflict that may come out
 * another way from one that nothing orders, and never excuses it.
 *
 * <p>A release is on record before others can see its effect, and asked for by those who have seen
 * it.
 */
public final class Handover {
  /**
   * Of a handover between more tasks than this, nobody remembers who they were: all blocks that
   * began so far count. Rather a finding too mild than a table as large as the run.
   */
  private static final int TASKS_MAX = 1024;

  private Release all = Release.NONE;

  /** The one task that released, as long as there is only one. */
  private int only;

  private int lastTask;
  private int count;

  /** The thread is about to let others go on, after this. */
  public synchronized void release(ThreadOrder threadOrder, Release release) {
    all = all.and(release);
    if (threadOrder.task() != lastTask) {
      lastTask = threadOrder.task();
      only = only == 0 ? lastTask : -1;
      count++;
      if (count > TASKS_MAX) {
        count = 0;
        all = threadOrder.releaseAll();
      }
    }
  }

  /** What is before the thread, which comes now; nothing if there was nobody else. */
  public synchronized Release before(ThreadOrder threadOrder) {
    return only == threadOrder.task() ? Release.NONE : all;
  }
}
