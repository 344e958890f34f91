package org.reprise.ranks.engine;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.RankEnded;
import org.reprise.ranks.journal.Plan;
import org.reprise.trace.order.Outcome;

/**
 * Lets the threads of one rank into the engine one at a time, and keeps their order. What is
 * ordered are steps: a call is one step, or two if it may wait, one up to the wait and one behind
 * it. Nothing that a rank does in the engine happens outside of a step, so a replay in which the
 * threads take the same steps in the same order has nothing schedule-dependent among them, also
 * where several are in a call at the same time.
 *
 * <p>A replay holds a thread back until its turn has come. One that is held back may have a lock
 * that the one whose turn it is waits for, so to take a lock in the program's own code is a step,
 * too. Threads also wait for each other in ways that are not seen. Then the turn never comes, and
 * after a while without any step the order is given up, not the run; the verdict says so.
 */
public final class Turns {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** If the thread whose turn it is waits for others in the program's own code. */
  private static final long BLOCKED_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final JobRank rank;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition taken = lock.newCondition();

  /** Whose turn it is, and how many steps it has taken in it. Only one thread is in here. */
  private int thread;

  private long steps;
  private long stepsOfAll;

  private @Nullable Plan plan;
  private List<Outcome.Turn> recorded = List.of();
  private int next;
  private boolean givenUp;

  Turns(JobRank rank) {
    this.rank = rank;
  }

  /** Threads are to take the steps that this plan's run has recorded. */
  public void obey(Plan replayed) {
    plan = replayed;
    recorded = replayed.turns();
  }

  /**
   * A step of a rank that has one thread only. Hot: nobody else can be here.
   *
   * <p>It is counted as if there were others, since there may be later on.
   */
  public void stepAlone() {
    steps++;
  }

  /** Makes a call, by any thread of the rank. */
  public <T extends @Nullable Object> T call(Supplier<T> call) {
    rank.machine.beginStep(rank);
    try {
      int self = CurrentRank.thread();
      enter(self);
      count(self);
      return call.get();
    } finally {
      leave();
      rank.machine.endStep(rank);
    }
  }

  /** Waits in a call, while the other threads may take their steps, and takes the next step. */
  void await(Wait wait) {
    int self = CurrentRank.thread();
    boolean over;
    do {
      if (!wait.isOver()) {
        rank.fabric().journal().waits();
      }
      leave();
      awaitOutside(wait, self);
      enter(self);
      over = wait.isOver();
      if (!over && isForced()) {
        // Another thread took the message that was there first, as it did in the recording; the
        // one that this thread got is still to come, and nobody else's turn is before that.
        rank.machine.await(rank, wait);
        over = true;
      }
    } while (!over);
    count(self);
  }

  /** As {@link #await}, where a scheduler says what the call comes to. */
  Decision decide(Wait wait) {
    int self = CurrentRank.thread();
    leave();
    try {
      return rank.machine.decide(rank, wait);
    } finally {
      lock.lock();
      rank.goOnIn(self);
      count(self);
    }
  }

  private void awaitOutside(Wait wait, int self) {
    try {
      if (!wait.isOver()) {
        rank.machine.await(rank, wait);
      }
    } catch (RankEnded e) {
      // What is left to do for the call is done by one thread at a time all the same.
      lock.lock();
      rank.goOnIn(self);
      throw e;
    }
  }

  /** Whether a call that was one step must be one now, although it has to wait for its outcome. */
  public boolean isForced() {
    return plan != null && plan.isInForce() && !recorded.isEmpty() && !givenUp;
  }

  /**
   * Returns when it is this thread's turn to take a lock: in a replay, which keeps others from
   * theirs till then, or where a scheduler gives turns.
   */
  public void beforeLock() {
    if (lock.isHeldByCurrentThread()) {
      return;
    }
    if (plan == null) {
      rank.machine.beginStep(rank);
      rank.fabric().journal().locks(CurrentRank.thread());
      rank.machine.endStep(rank);
      return;
    }
    lock.lock();
    try {
      awaitTurn(CurrentRank.thread());
    } finally {
      lock.unlock();
    }
  }

  /**
   * The thread has the lock: that was its step. Never throws, and never waits for long: a thread in
   * a step, in a reduction of the program's own, may want this very lock.
   */
  public void afterLock() {
    if (lock.isHeldByCurrentThread()
        || (plan == null ? !rank.fabric().journal().keepsTurns() : !isForced())) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      if (lock.tryLock(BLOCKED_PATIENCE_NANOS, TimeUnit.NANOSECONDS)) {
        count(CurrentRank.thread());
        leave();
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does something between the steps of the threads. */
  public void between(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  private void leave() {
    if (lock.isHeldByCurrentThread()) {
      taken.signalAll();
      lock.unlock();
    }
  }

  private void enter(int self) {
    lock.lock();
    try {
      awaitTurn(self);
    } finally {
      rank.goOnIn(self);
    }
  }

  private void count(int self) {
    if (thread != self) {
      rank.fabric().journal().turn(self, steps);
      thread = self;
      steps = 0;
    }
    steps++;
    stepsOfAll++;
  }

  /** In a replay: until the recorded turn has come. */
  private void awaitTurn(int self) {
    boolean interrupted = false;
    long waited = 0;
    long seen = stepsOfAll;
    Waiter waiter = rank.waiter();
    try {
      while (isForced() && !isTurnOf(self)) {
        rank.machine.checkRunning();
        long before = System.nanoTime();
        waiter.heldBack = true;
        try {
          taken.awaitNanos(TICK_NANOS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
        // A process that was stopped meanwhile has not waited.
        waited += Math.min(System.nanoTime() - before, 2 * TICK_NANOS);
        if (stepsOfAll != seen) {
          seen = stepsOfAll;
          waited = 0;
        }
        if (waited > (isBlocked() ? BLOCKED_PATIENCE_NANOS : PATIENCE_NANOS)) {
          givenUp = true;
          rank.fabric().journal().turnsGivenUp();
        }
      }
    } finally {
      waiter.heldBack = false;
      if (interrupted) {
        // The program's own business: it finds out when its call returns.
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Whether the thread whose turn it is waits, and not in a call. */
  private boolean isBlocked() {
    Waiter next = rank.waiter(thread);
    return next != null && !next.mayMove() && !next.isAsleep();
  }

  private boolean isTurnOf(int self) {
    while (next < recorded.size() && steps >= recorded.get(next).calls()) {
      thread = (int) recorded.get(next++).thread();
      steps = 0;
    }
    boolean isBeyond = next == recorded.size() && plan != null && plan.hasReachedEnd();
    return thread == self || isBeyond;
  }
}
