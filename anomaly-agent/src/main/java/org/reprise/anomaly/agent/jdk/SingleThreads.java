package org.reprise.anomaly.agent.jdk;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Delayed;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.IdentityTable;

/**
 * Pools of one thread that take their tasks as they come: a task is after those that were handed
 * over before it on every schedule. Those of blocks that run beside each other come in any order.
 */
final class SingleThreads {
  /** Of each pool, the tasks that no task handed over later is known to follow. */
  private final IdentityTable<Object, List<Fork>> latest = new IdentityTable<>();

  /** Of each task, when it runs. */
  private final IdentityTable<Fork, Turn> turns = new IdentityTable<>();

  /** Of each pool, the task that it ran last. */
  private final IdentityTable<Object, Fork> last = new IdentityTable<>();

  /**
   * When a task runs.
   *
   * @param earlier end before it begins, on every schedule
   */
  private record Turn(ThreadPoolExecutor pool, List<Fork> earlier) {}

  /** The thread has just handed the task over, which does this. */
  void submitted(ThreadOrder threadOrder, Fork task, Object executor, Object command) {
    if (!(executor instanceof ThreadPoolExecutor pool) || !isInOrder(pool, command)) {
      return;
    }
    List<Fork> tasks = latest.get(pool, any -> new ArrayList<>());
    List<Fork> earlier = new ArrayList<>();
    synchronized (tasks) {
      for (Fork other : tasks) {
        if (threadOrder.isAfter(other.tag())) {
          earlier.add(other);
        }
      }
      tasks.removeAll(earlier);
      tasks.add(task);
    }
    turns.put(task, new Turn(pool, earlier));
  }

  /** A pool that waits for times takes those tasks as they come that need not wait. */
  private static boolean isInOrder(ThreadPoolExecutor pool, Object command) {
    return pool instanceof ScheduledThreadPoolExecutor
        ? pool.getCorePoolSize() <= 1
            && command instanceof Delayed delayed
            && delayed.getDelay(TimeUnit.NANOSECONDS) <= 0
        : pool.getMaximumPoolSize() == 1 && pool.getQueue() instanceof LinkedBlockingQueue<?>;
  }

  /**
   * The thread is about to run the task. What the pool was given before it has ended, on this
   * schedule whatever it ran before.
   */
  void begins(ThreadOrder threadOrder, Fork task) {
    Turn turn = turns.remove(task);
    if (turn == null) {
      return;
    }
    turn.earlier.forEach(threadOrder::join);
    Fork before = last.get(turn.pool);
    if (before != null) {
      threadOrder.see(before);
    }
    last.put(turn.pool, task);
  }
}
