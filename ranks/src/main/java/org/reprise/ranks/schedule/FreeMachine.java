package org.reprise.ranks.schedule;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.DeadlockSearch;
import org.reprise.ranks.engine.Decision;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Machine;
import org.reprise.ranks.engine.Message;
import org.reprise.ranks.engine.Observer;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.engine.Waiter;

/**
 * Ranks run in parallel, and whatever comes first comes first. No lock is shared by all ranks: a
 * mailbox has one, a collective operation has one. What is shared is the number of threads that do
 * not sleep in a call, changed only when one falls asleep or is woken: when it is zero and ranks
 * are left, nobody can ever wake them.
 */
public final class FreeMachine extends Machine {
  /**
   * So often a rank lets others run before it sleeps, if every rank can have a processor. Letting
   * others run is cheap where the other rank has the same carrier, and as good as spinning
   * otherwise.
   */
  private static final int YIELDS = 20;

  /** How long ranks whose job has ended may take to notice. */
  private static final int GRACE_TICKS = 50;

  private static final long TICK_MILLIS = 100;

  /** So long ranks may go on after one of them has ended the job: some poll for ever. */
  private static final int REST_PATIENCE_TICKS = 30;

  /** For so long nothing may move before ranks with threads of their own count as deadlocked. */
  private static final int THREADS_PATIENCE_TICKS = 20;

  private final AtomicInteger running = new AtomicInteger();
  private final CountDownLatch left;
  private final int yields;
  private final @Nullable Jitter jitter;

  /** What the threads of ranks run on. */
  public enum Carriers {
    /** All processors that there are. */
    SHARED,
    /** The thread that runs the job: one rank at a time, and nothing is handed to other threads. */
    CALLER,
    /**
     * Threads of the platform, one each, whose every frame a debugger can look into and change. It
     * holds ranks, so those that wait for each other stay where they are.
     */
    OWN
  }

  /** Whether a debugger holds ranks. */
  private final boolean held;

  /** Those of the calling thread, if it carries the ranks. */
  private final @Nullable OneByOne turns;

  /** Why the job is to end when nothing moves any more. */
  private volatile @Nullable Ending atRest;

  /** A machine; its ranks take turns on the calling thread if that is to carry them. */
  public FreeMachine(
      int count,
      boolean syncSends,
      @Nullable Observer observer,
      @Nullable Jitter jitter,
      Carriers carriers) {
    super(count, syncSends, observer);
    this.held = carriers == Carriers.OWN;
    this.turns = carriers == Carriers.CALLER ? new OneByOne() : null;
    this.jitter = jitter;
    this.left = new CountDownLatch(count);
    boolean parallel = turns == null && count <= Runtime.getRuntime().availableProcessors();
    this.yields = parallel ? YIELDS : 0;
  }

  @Override
  public void run(RankThread thread) {
    running.set(ranks.length);
    for (JobRank rank : ranks) {
      Runnable body = () -> live(rank, thread);
      rank.main.thread =
          turns == null
              ? threads().name("rank " + rank.number).unstarted(body)
              : turns.thread("rank " + rank.number, body);
    }
    for (JobRank rank : ranks) {
      start(rank.main.thread);
    }
    Ticks ticks = new Ticks();
    if (turns != null) {
      turns.drive(() -> look(turns, ticks), () -> look(turns, ticks));
      return;
    }
    try {
      while (!left.await(TICK_MILLIS, TimeUnit.MILLISECONDS) && ticks.graceLeft > 0) {
        tick(ticks);
      }
    } catch (InterruptedException e) {
      end(new Ending(null, 1, true));
      Thread.currentThread().interrupt();
    }
  }

  /** For how long something has lasted already. */
  private static final class Ticks {
    long last = System.nanoTime();
    int graceLeft = GRACE_TICKS;
    int still;
    int stopping;
  }

  private void tick(Ticks ticks) {
    ticks.graceLeft -= ending == null ? 0 : 1;
    Ending why = atRest;
    if (why != null && ++ticks.stopping >= REST_PATIENCE_TICKS) {
      end(why);
    }
    ticks.still = ending == null && !held && nothingMovesNow() ? ticks.still + 1 : 0;
    if (ticks.still >= THREADS_PATIENCE_TICKS) {
      ticks.still = 0;
      endUnlessUnknown();
    }
  }

  /**
   * Looks after ranks that take turns.
   *
   * @return how long the calling thread may sleep if none of them can run
   */
  private long look(OneByOne driver, Ticks ticks) {
    long tick = TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
    long since = System.nanoTime() - ticks.last;
    if (since < tick) {
      return tick - since;
    }
    ticks.last += since;
    tick(ticks);
    if (ticks.graceLeft <= 0) {
      driver.stop();
    }
    return tick;
  }

  private Thread.Builder threads() {
    return held ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
  }

  private static void start(@Nullable Thread thread) {
    if (thread != null) {
      thread.start();
    }
  }

  private void live(JobRank rank, RankThread thread) {
    try {
      thread.run(rank);
    } finally {
      sleeps();
      left.countDown();
      if (turns != null && left.getCount() == 0) {
        turns.stop();
      }
    }
  }

  @Override
  public boolean matchesAtOnce() {
    return true;
  }

  @Override
  public void await(JobRank rank, Wait wait) {
    if (jitter != null) {
      jitter.shake(rank);
    }
    for (int i = 0; i < yields; i++) {
      if (wait.isOver()) {
        return;
      }
      Thread.yield();
    }
    Waiter waiter = rank.waiter();
    waiter.wait = wait;
    if (wait instanceof Wait.ForMessage) {
      rank.probes = true;
    }
    while (!isOver(wait, rank)) {
      checkRunning();
      sleep(waiter, wait, rank);
    }
    waiter.wait = null;
  }

  private static boolean isOver(Wait wait, JobRank rank) {
    return wait instanceof Wait.ForRound round
        ? round.round.isReadyOrWaits(round.member, rank)
        : wait.isOver();
  }

  private void sleep(Waiter waiter, Wait wait, JobRank rank) {
    waiter.layDown();
    // Only now is it sure that whoever ends the wait sees the sleeper.
    if ((isOver(wait, rank) || ending != null) && waiter.raise()) {
      return;
    }
    if (waiter.counts) {
      if (!rank.isShared()) {
        rank.fabric().journal().waits();
      }
      sleeps();
    }
    while (waiter.isAsleep()) {
      LockSupport.park(this);
    }
  }

  @Override
  public void stop(JobRank rank, Ending why) {
    synchronized (this) {
      atRest = atRest == null ? why : atRest;
    }
    Waiter waiter = rank.waiter();
    while (ending == null) {
      waiter.layDown();
      if (ending != null && waiter.raise()) {
        return;
      }
      if (waiter.counts) {
        sleeps();
      }
      while (waiter.isAsleep()) {
        LockSupport.park(this);
      }
    }
  }

  /** Nobody can go on: because somebody has ended the job, or for want of each other. */
  private Ending whyAtRest() {
    Ending why = atRest;
    endedAtRest = why != null && ending == null;
    return why == null ? new Ending(DeadlockSearch.in(ranks), 1, false) : why;
  }

  /** One thread less runs; the last one finds out why. */
  private void sleeps() {
    if (running.decrementAndGet() == 0 && ending == null && !held) {
      nothingMoves();
    }
  }

  /** Threads of the program's own are not counted; {@link #nothingMovesNow} looks after those. */
  private void nothingMoves() {
    boolean someoneIsLeft = false;
    for (JobRank rank : ranks) {
      if (rank.hasThreads) {
        return;
      }
      someoneIsLeft |= rank.main.isAsleep();
    }
    if (someoneIsLeft) {
      end(whyAtRest());
    }
  }

  /**
   * Whether some rank has threads of its own, and all that ever called wait: in a call or, in the
   * program's own code, for each other.
   */
  private boolean nothingMovesNow() {
    boolean someoneSleeps = false;
    boolean threads = false;
    for (JobRank rank : ranks) {
      threads |= rank.hasThreads;
      if (rank.main.mayMove()) {
        return false;
      }
      someoneSleeps |= rank.main.isAsleep();
      for (Waiter other : rank.others.values()) {
        if (other.mayMove()) {
          return false;
        }
        someoneSleeps |= other.isAsleep();
      }
    }
    return threads && someoneSleeps;
  }

  /** A thread that has never called may be at work; whether there is one, the collector knows. */
  private void endUnlessUnknown() {
    boolean unknown = false;
    for (JobRank rank : ranks) {
      unknown |= rank.hasUnknownThreads();
    }
    if (unknown) {
      System.gc();
      for (JobRank rank : ranks) {
        if (rank.hasUnknownThreads()) {
          return;
        }
      }
    }
    end(whyAtRest());
  }

  @Override
  protected void wake(JobRank rank) {
    wake(rank.main);
    if (rank.hasThreads) {
      rank.others.values().forEach(this::wake);
    }
  }

  private void wake(Waiter waiter) {
    if (!waiter.isAsleep()) {
      return;
    }
    // Counted before it is raised: it may run, and sleep again, before we come to the next line.
    if (waiter.counts) {
      running.incrementAndGet();
    }
    if (waiter.raise()) {
      waiter.unpark();
    } else if (waiter.counts) {
      sleeps();
    }
  }

  @Override
  protected void arrived(JobRank dest, Message message) {
    if (dest.probes) {
      wake(dest);
    }
  }

  @Override
  public boolean threadsMayCall() {
    return true;
  }

  @Override
  public void checkThread(JobRank rank) {}

  @Override
  public Decision decide(JobRank rank, Wait wait) {
    throw new IllegalStateException("nothing is decided where ranks run in parallel");
  }

  @Override
  public void interrupt() {
    interrupted = true;
    end(new Ending(null, 1, false));
  }

  @Override
  public void end(Ending why) {
    synchronized (this) {
      if (ending != null) {
        return;
      }
      ending = why;
    }
    for (JobRank rank : ranks) {
      wake(rank);
      rank.interruptProgram();
    }
  }
}
