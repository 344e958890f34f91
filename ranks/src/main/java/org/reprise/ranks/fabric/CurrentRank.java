package org.reprise.ranks.fabric;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which rank the calling thread belongs to, and which of its threads it is. A thread that a program
 * creates belongs to the rank that created it, and so do the workers of its executors. Threads of
 * the common pool, which ranks share, belong to none, even if a rank's call made them.
 */
public final class CurrentRank {
  /** Told of the threads that a rank's program creates. */
  public interface OnThread {
    /**
     * A thread was created, by the calling one.
     *
     * @param number from 1 on, in the order of their creation
     * @param life is reachable as long as the thread may still run
     */
    void created(int number, Object life);
  }

  /** What the threads of a rank share. */
  private static final class Ticket {
    final Fabric fabric;
    final Inputs inputs;
    final OnThread onThread;
    final AtomicInteger births = new AtomicInteger();
    volatile @Nullable Object kept;

    Ticket(Fabric fabric, Inputs inputs, OnThread onThread) {
      this.fabric = fabric;
      this.inputs = inputs;
      this.onThread = onThread;
    }
  }

  /** One thread of a rank. Only the thread itself holds it, so it is gone when the thread is. */
  private static final class Membership {
    final Ticket ticket;
    final int number;

    Membership(Ticket ticket, int number) {
      this.ticket = ticket;
      this.number = number;
    }
  }

  private static final InheritableThreadLocal<@Nullable Membership> MEMBERSHIP =
      new InheritableThreadLocal<>() {
        @Override
        protected @Nullable Membership childValue(@Nullable Membership parent) {
          if (parent == null) {
            return null;
          }
          Ticket ticket = parent.ticket;
          Membership child = new Membership(ticket, ticket.births.incrementAndGet());
          ticket.onThread.created(child.number, child);
          return child;
        }
      };

  /** The fabric of the calling thread's rank. */
  public static Fabric fabric() {
    return membership().ticket.fabric;
  }

  /** The inputs of the calling thread's rank. */
  public static Inputs inputs() {
    return membership().ticket.inputs;
  }

  /**
   * What the programming interface keeps for the calling thread's rank; made when first asked for.
   * There is one such thing a rank.
   */
  public static Object kept(Function<Fabric, Object> make) {
    Ticket ticket = membership().ticket;
    Object kept = ticket.kept;
    if (kept == null) {
      synchronized (ticket) {
        kept = ticket.kept;
        if (kept == null) {
          kept = make.apply(ticket.fabric);
          ticket.kept = kept;
        }
      }
    }
    return kept;
  }

  /**
   * The number of the calling thread among those of its rank: 0 is the one that the rank began in;
   * the others count in the order of their creation.
   */
  public static int thread() {
    return membership().number;
  }

  /** Whether the calling thread belongs to a rank. */
  public static boolean isKnown() {
    return MEMBERSHIP.get() != null && !isOfCommonPool();
  }

  /** Whether the calling thread is one of the pool that all ranks share. */
  public static boolean isOfCommonPool() {
    return Thread.currentThread() instanceof ForkJoinWorkerThread worker
        && worker.getPool() == ForkJoinPool.commonPool();
  }

  private static Membership membership() {
    Membership membership = MEMBERSHIP.get();
    if (membership == null || isOfCommonPool()) {
      throw new FabricError(
          FabricError.Kind.THREAD,
          "MPI was called by a thread that belongs to no rank: "
              + Thread.currentThread().getName());
    }
    return membership;
  }

  /**
   * Makes the calling thread one of this rank.
   *
   * @param onThread told when the rank's program creates another thread
   */
  public static void enter(Fabric fabric, Inputs inputs, OnThread onThread) {
    MEMBERSHIP.set(new Membership(new Ticket(fabric, inputs, onThread), 0));
  }

  /** The calling thread belongs to no rank any more. */
  public static void leave() {
    MEMBERSHIP.remove();
  }

  private CurrentRank() {}
}
