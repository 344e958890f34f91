package org.reprise.anomaly.agent.jdk;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.Stacks;
import org.reprise.anomaly.agent.detect.history.IdentityTable;
import org.reprise.anomaly.agent.detect.library.HandOff;

/**
 * What orders blocks besides forks and joins: latches, barriers, phasers. One orders only if its
 * operations are ordered by their role on every schedule; otherwise it is itself the obstacle.
 */
final class Synchronisers {
  private final IdentityTable<Object, Latch> latches = new IdentityTable<>();
  private final IdentityTable<Object, Barrier> barriers = new IdentityTable<>();
  private final IdentityTable<Object, Phases> phasers = new IdentityTable<>();
  private final IdentityTable<Object, Exchange> exchangers = new IdentityTable<>();
  private final IdentityTable<Object, Permits> semaphores = new IdentityTable<>();

  /** Stands for null, which may be exchanged, too. */
  private static final Object NULL = new Object();

  /** Who is at which barrier. */
  private final Map<ThreadOrder, Barrier> meeting = new ConcurrentHashMap<>();

  private final BiConsumer<String, String> obstacles;

  Synchronisers(BiConsumer<String, String> obstacles) {
    this.obstacles = obstacles;
  }

  void enter(ThreadOrder threadOrder, Point point, Object self, @Nullable Object argument) {
    switch (point) {
      case SEMAPHORE_RELEASE -> permits(self).release(threadOrder, count(argument));
      // Before anybody changes their number.
      case SEMAPHORE_ACQUIRE -> permits(self);
      case COUNT_DOWN -> latch(self).countDown(threadOrder);
      case BARRIER ->
          barriers
              .get(self, key -> new Barrier(((CyclicBarrier) key).getParties()))
              .arrive(threadOrder);
      case PHASER_ARRIVE -> phases(self).arrive(threadOrder);
      case PHASER_MEET -> phases(self).meet(threadOrder);
      case EXCHANGE -> exchange(self).give(argument, threadOrder);
      default -> {}
    }
  }

  void exit(
      ThreadOrder threadOrder,
      Point point,
      Object self,
      @Nullable Object argument,
      @Nullable Object result) {
    // A wait that was interrupted, or gave up, has not seen what it waited for.
    boolean hasWaited = !(result instanceof Throwable) && !Boolean.FALSE.equals(result);
    switch (point) {
      case SEMAPHORE_ACQUIRE -> {
        if (hasWaited) {
          permits(self).acquire(threadOrder, count(argument));
        }
      }
      case LATCH_AWAIT -> {
        if (hasWaited) {
          latch(self).await(threadOrder);
        }
      }
      case BARRIER -> {
        Barrier barrier = barriers.get(self);
        if (barrier != null) {
          barrier.leave(threadOrder, hasWaited);
        }
      }
      case PHASER_MEET -> phases(self).leave(threadOrder);
      case PHASER_AWAIT -> {
        if (hasWaited && argument instanceof Integer phase) {
          phases(self).await(threadOrder, phase);
        }
      }
      case EXCHANGE -> exchange(self).leave(threadOrder, result);
      default -> {}
    }
  }

  /** The thread runs the action of the barrier that it is at; false if it is at none. */
  boolean beginAction(ThreadOrder threadOrder) {
    Barrier barrier = meeting.get(threadOrder);
    if (barrier != null) {
      barrier.act(threadOrder);
    }
    return barrier != null;
  }

  /** The thread, which came last at a phaser, does what the program does at the end of a phase. */
  void advance(ThreadOrder threadOrder, Object self) {
    phases(self).advance(threadOrder);
  }

  private Latch latch(Object self) {
    return latches.get(self, key -> new Latch(((CountDownLatch) key).getCount()));
  }

  private Permits permits(Object self) {
    return semaphores.get(
        self, key -> new Permits(key, ((Semaphore) key).availablePermits(), obstacles));
  }

  private static int count(@Nullable Object argument) {
    return argument instanceof Integer number ? number : 1;
  }

  private Phases phases(Object self) {
    // Those of a tree advance together.
    return phasers.get(((Phaser) self).getRoot(), key -> new Phases((Phaser) key));
  }

  private Exchange exchange(Object self) {
    return exchangers.get(self, any -> new Exchange());
  }

  /** Orders what each of two did before what the other does then, if there are only two. */
  private final class Exchange {
    private final HandOff elements = new HandOff();
    private final Set<Integer> tasks = new HashSet<>();

    void give(@Nullable Object element, ThreadOrder threadOrder) {
      boolean isThird;
      synchronized (tasks) {
        isThird = tasks.size() < 3 && tasks.add(threadOrder.task()) && tasks.size() == 3;
      }
      if (isThird) {
        obstacles.accept("an exchanger at which more than two blocks meet", Stacks.place());
      }
      elements.put(element == null ? NULL : element, threadOrder);
    }

    void leave(ThreadOrder threadOrder, @Nullable Object result) {
      boolean hasGivenUp =
          result instanceof InterruptedException || result instanceof TimeoutException;
      if (!hasGivenUp) {
        elements.exchange(result == null ? NULL : result, threadOrder);
      }
      elements.returned(!hasGivenUp, threadOrder);
    }
  }

  /** Orders all that counted down before all that waited, if exactly as many count as it takes. */
  private final class Latch {
    private final long count;
    private long downs;
    private Release all = Release.NONE;

    Latch(long count) {
      this.count = count;
    }

    synchronized void countDown(ThreadOrder threadOrder) {
      all = all.and(threadOrder.release());
      downs++;
      if (downs > count) {
        obstacles.accept("a latch that is counted down more often than its count", Stacks.place());
      }
    }

    synchronized void await(ThreadOrder threadOrder) {
      threadOrder.acquire(all);
    }
  }

  /**
   * Orders what came before a meeting before what comes after, if the same blocks meet each time.
   */
  private final class Barrier {
    private final int parties;
    private final Map<ThreadOrder, Meeting> meetings = new HashMap<>();
    private Meeting current = new Meeting();
    private @Nullable Set<Integer> lastTasks;

    Barrier(int parties) {
      this.parties = parties;
    }

    synchronized void arrive(ThreadOrder threadOrder) {
      Meeting meeting = current;
      meetings.put(threadOrder, meeting);
      Synchronisers.this.meeting.put(threadOrder, this);
      meeting.tasks.add(threadOrder.task());
      meeting.all = meeting.all.and(threadOrder.release());
      meeting.arrived++;
      if (meeting.arrived == parties) {
        if (lastTasks != null && !lastTasks.equals(meeting.tasks)) {
          obstacles.accept("a barrier at which other blocks meet each time", Stacks.place());
        }
        lastTasks = meeting.tasks;
        current = new Meeting();
      }
    }

    /**
     * All have arrived, and this one, which need not be the last that we saw, runs the action: it
     * comes after all arrivals, and everybody goes on after it.
     */
    synchronized void act(ThreadOrder threadOrder) {
      Meeting meeting = meetings.get(threadOrder);
      if (meeting != null) {
        threadOrder.acquire(meeting.all);
        meeting.all = meeting.all.and(threadOrder.promise());
      }
    }

    synchronized void leave(ThreadOrder threadOrder, boolean hasMet) {
      Synchronisers.this.meeting.remove(threadOrder);
      Meeting meeting = meetings.remove(threadOrder);
      if (meeting != null && hasMet) {
        threadOrder.renew();
        threadOrder.acquire(meeting.all);
      }
    }
  }

  /** One phase of a barrier. */
  private static final class Meeting {
    private final Set<Integer> tasks = new HashSet<>();
    private int arrived;
    private Release all = Release.NONE;
  }

  /** Orders arrivals in a phase before everybody who waited for the phase to end. */
  private static final class Phases {
    private final Phaser phaser;
    private final TreeMap<Integer, Release> arrivals = new TreeMap<>();

    /** The phases that parties are about to leave. */
    private final Map<ThreadOrder, Integer> met = new HashMap<>();

    Phases(Phaser phaser) {
      this.phaser = phaser;
    }

    /** Returns the phase, which cannot end before the thread has arrived. */
    synchronized int arrive(ThreadOrder threadOrder) {
      int phase = phaser.getPhase();
      arrivals.merge(phase, threadOrder.release(), Release::and);
      return phase;
    }

    synchronized void meet(ThreadOrder threadOrder) {
      met.put(threadOrder, arrive(threadOrder));
    }

    /**
     * All have arrived: who ends the phase comes after them, and all that waited go on after it.
     */
    synchronized void advance(ThreadOrder threadOrder) {
      Integer phase = met.get(threadOrder);
      if (phase != null) {
        arrivals.headMap(phase, true).values().forEach(threadOrder::acquire);
        arrivals.merge(phase, threadOrder.promise(), Release::and);
      }
    }

    synchronized void leave(ThreadOrder threadOrder) {
      Integer phase = met.remove(threadOrder);
      if (phase != null) {
        threadOrder.renew();
        await(threadOrder, phase);
      }
    }

    /**
     * The thread waited for the end of the phase. Those that ended since then it has waited for
     * only on this schedule.
     */
    synchronized void await(ThreadOrder threadOrder, int phase) {
      int current = phaser.getPhase();
      int last = current < 0 ? phase : Math.min(phase, current - 1);
      arrivals.headMap(last, true).values().forEach(threadOrder::acquire);
    }
  }
}
