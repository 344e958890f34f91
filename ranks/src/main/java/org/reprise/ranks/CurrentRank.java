package org.reprise.ranks;

import java.util.concurrent.ForkJoinWorkerThread;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which rank the calling thread belongs to. A thread that a program starts belongs to the rank that
 * started it. Threads of a pool that ranks share belong to none, even if a rank's call made them.
 */
public final class CurrentRank {
  /** What a thread knows of its rank; all threads of the rank share it. */
  private static final class Ticket {
    final Fabric fabric;
    final Inputs inputs;
    final Runnable onThread;
    volatile @Nullable Object kept;

    Ticket(Fabric fabric, Inputs inputs, Runnable onThread) {
      this.fabric = fabric;
      this.inputs = inputs;
      this.onThread = onThread;
    }
  }

  private static final InheritableThreadLocal<@Nullable Ticket> TICKET =
      new InheritableThreadLocal<>() {
        @Override
        protected @Nullable Ticket childValue(@Nullable Ticket parent) {
          if (parent != null) {
            parent.onThread.run();
          }
          return parent;
        }
      };

  /** The fabric of the calling thread's rank. */
  public static Fabric fabric() {
    return ticket().fabric;
  }

  /** The inputs of the calling thread's rank. */
  public static Inputs inputs() {
    return ticket().inputs;
  }

  /**
   * What the programming interface keeps for the calling thread's rank; made when first asked for.
   * There is one such thing a rank.
   */
  public static Object kept(Function<Fabric, Object> make) {
    Ticket ticket = ticket();
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

  /** Whether the calling thread belongs to a rank. */
  public static boolean isKnown() {
    return TICKET.get() != null && !(Thread.currentThread() instanceof ForkJoinWorkerThread);
  }

  private static Ticket ticket() {
    Ticket ticket = TICKET.get();
    if (ticket == null || Thread.currentThread() instanceof ForkJoinWorkerThread) {
      throw new FabricError(
          FabricError.Kind.THREAD,
          "MPI was called by a thread that belongs to no rank: "
              + Thread.currentThread().getName());
    }
    return ticket;
  }

  /**
   * Makes the calling thread one of this rank.
   *
   * @param onThread run when the rank's program creates another thread
   */
  public static void enter(Fabric fabric, Inputs inputs, Runnable onThread) {
    TICKET.set(new Ticket(fabric, inputs, onThread));
  }

  /** The calling thread belongs to no rank any more. */
  public static void leave() {
    TICKET.remove();
  }

  private CurrentRank() {}
}
