package org.reprise.ranks.calls;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.Decision;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Machine;
import org.reprise.ranks.engine.Member;
import org.reprise.ranks.engine.PendingReceive;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.journal.Journal;
import org.reprise.ranks.journal.Plan;
import org.reprise.trace.Counted;
import org.reprise.trace.file.Wire;

/**
 * What all calls of one rank have in common: each begins with {@link #enter} and ends with {@link
 * #returned}; between the two it waits on the machine, tells the journal what came of it, and in a
 * replay asks the plan what is to come of it.
 */
final class RankCalls {
  private static final int POLLS_BETWEEN_NAPS = 64;
  private static final long NAP_NANOS = 1_000;

  final JobRank rank;
  final Machine machine;
  final Journal journal;
  final @Nullable Plan plan;
  final OpenReceives open;

  /** Non-blocking operations that no call has reported. */
  int pending;

  private long calls;
  private boolean finished;
  private int failedPolls;

  RankCalls(JobRank rank, Journal journal, @Nullable Plan plan) {
    this.rank = rank;
    this.machine = rank.machine;
    this.journal = journal;
    this.plan = plan;
    this.open = new OpenReceives(journal);
  }

  /** Calls made so far. */
  long calls() {
    return calls;
  }

  boolean isFinished() {
    return finished;
  }

  void enter(MpiCall call) {
    machine.checkRunning();
    if (finished) {
      throw new FabricError(
          FabricError.Kind.OTHER,
          "rank " + rank.number + " called " + call + " after MPI_Finalize");
    }
    if (Thread.currentThread() != rank.main.thread) {
      machine.checkThread(rank);
    }
    calls++;
    if (!rank.isShared()) {
      rank.turns.stepAlone();
    }
    journal.called(call);
    if (machine.observer != null) {
      machine.observer.called(rank, call);
    }
  }

  Member enter(MpiCall call, Communicator comm) {
    enter(call);
    if (!(comm instanceof Member member)) {
      throw new FabricError(FabricError.Kind.COMM, "the communicator is not of this fabric");
    }
    if (member.freed) {
      throw new FabricError(FabricError.Kind.COMM, call + " on a communicator that was freed");
    }
    return member;
  }

  Member enterIntra(MpiCall call, Communicator comm) {
    Member member = enter(call, comm);
    if (member.isInter()) {
      throw new FabricError(
          FabricError.Kind.COMM, call + " on an intercommunicator is not supported");
    }
    return member;
  }

  void returned() {
    journal.returned();
  }

  /** See {@link JobRank#goesOn}. */
  boolean goesOn(boolean over) {
    return rank.goesOn(over);
  }

  void await(Wait wait) {
    rank.await(wait);
  }

  /**
   * Waits for what a poll came to in the recording, where it did not wait: no other thread of the
   * rank did anything in between.
   */
  void awaitPolled(Wait wait) {
    if (rank.isShared() && !rank.turns.isForced()) {
      rank.await(wait);
    } else {
      machine.await(rank, wait);
    }
  }

  Decision decide(Wait wait) {
    return rank.decide(wait);
  }

  /** The call is a poll that found nothing. */
  void pollFailed() {
    journal.pollFailed();
    if (machine.observer != null) {
      machine.observer.pollFailed(rank);
    }
    returned();
    if (machine.matchesAtOnce()) {
      letOthersRun();
    }
  }

  /**
   * A rank that only polls must not keep its carrier from the others. To yield is not enough: a
   * carrier takes the next task from where it found the last one, so with a polling rank on each
   * carrier, ranks that wait elsewhere may never begin. Who sleeps leaves nothing there to be
   * found.
   */
  private void letOthersRun() {
    if (++failedPolls % POLLS_BETWEEN_NAPS == 0) {
      LockSupport.parkNanos(NAP_NANOS);
    } else {
      Thread.yield();
    }
  }

  boolean isReplaying() {
    return plan != null && plan.isInForce();
  }

  Plan plan() {
    if (plan == null) {
      throw new IllegalStateException("no replay");
    }
    return plan;
  }

  /** A receive has its message; others that were posted before may have got one as well. */
  void took(PendingReceive receive, Received got) {
    open.resolve();
    if (receive.message != null) {
      receive.message.tellOrigin(rank);
    }
    journal.received(got, receive.comm.id());
  }

  /** Nothing may be called any more. */
  void finish() {
    open.end();
    finished = true;
    journal.ended(Wire.State.FINALIZED, 0);
  }

  static void checkRank(Member comm, int number, String what) {
    int size = comm.peers().length;
    if (number < 0 || number >= size) {
      throw new FabricError(
          FabricError.Kind.RANK,
          what + " " + number + " is not a rank of a communicator of " + Counted.of(size, "rank"));
    }
  }

  static void checkPattern(Member comm, int source, int tag) {
    if (source != Fabric.ANY_SOURCE) {
      checkRank(comm, source, "source");
    }
    if (tag < 0 && tag != Fabric.ANY_TAG) {
      throw new FabricError(FabricError.Kind.TAG, "tag " + tag + " of a receive is negative");
    }
  }
}
