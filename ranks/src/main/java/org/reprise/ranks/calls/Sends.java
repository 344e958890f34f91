package org.reprise.ranks.calls;

import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Machine;
import org.reprise.ranks.engine.Member;
import org.reprise.ranks.engine.Message;
import org.reprise.ranks.engine.PendingSend;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.SendMode;

/** The sends of one rank. */
final class Sends {
  private final RankCalls calls;
  private final JobRank rank;
  private final Machine machine;

  Sends(RankCalls calls) {
    this.calls = calls;
    this.rank = calls.rank;
    this.machine = calls.machine;
  }

  static MpiCall startingCall(SendMode mode) {
    return switch (mode) {
      case STANDARD -> MpiCall.ISEND;
      case BUFFERED -> MpiCall.IBSEND;
      case SYNCHRONOUS -> MpiCall.ISSEND;
      case READY -> MpiCall.IRSEND;
    };
  }

  static MpiCall blockingCall(SendMode mode) {
    return switch (mode) {
      case STANDARD -> MpiCall.SEND;
      case BUFFERED -> MpiCall.BSEND;
      case SYNCHRONOUS -> MpiCall.SSEND;
      case READY -> MpiCall.RSEND;
    };
  }

  void send(Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    MpiCall call = blockingCall(mode);
    Member member = calls.enter(call, comm);
    PendingSend send = begin(member, dest, tag, payload, mode, -1);
    if (!calls.goesOn(send.done)) {
      calls.await(new Wait.ForOperations(call, send));
    }
    calls.returned();
  }

  Operation start(Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    Member member = calls.enter(startingCall(mode), comm);
    PendingSend send = begin(member, dest, tag, payload, mode, calls.journal.nextPost());
    calls.pending++;
    calls.returned();
    return send;
  }

  PendingSend begin(Member comm, int dest, int tag, Payload payload, SendMode mode, long post) {
    if (dest != Fabric.PROC_NULL) {
      RankCalls.checkRank(comm, dest, "destination");
    }
    if (tag < 0) {
      throw new FabricError(FabricError.Kind.TAG, "tag " + tag + " of a message is negative");
    }
    int world = dest == Fabric.PROC_NULL ? Fabric.PROC_NULL : comm.peers()[dest];
    PendingSend send = new PendingSend(rank, post, world, tag);
    boolean waits =
        mode == SendMode.SYNCHRONOUS || (mode == SendMode.STANDARD && machine.syncSends);
    if (!waits || dest == Fabric.PROC_NULL) {
      send.complete();
    }
    if (dest != Fabric.PROC_NULL) {
      Message message =
          new Message(comm, rank, tag, payload, waits ? send : null, rank.messagesSent++);
      if (mode == SendMode.READY) {
        checkReady(message, dest, machine.ranks[world]);
      }
      machine.send(message, machine.ranks[world]);
    }
    return send;
  }

  /**
   * A ready send is allowed only where its receive is posted. A replay has no say in that: there
   * the receiver may be slower than it was, and only the call in which the recording of this rank
   * ended can have been refused.
   */
  private void checkReady(Message message, int dest, JobRank receiver) {
    if (calls.plan != null && !calls.plan.isLastCall(calls.calls())) {
      return;
    }
    boolean isPosted;
    synchronized (receiver.mailbox) {
      isPosted = receiver.mailbox.firstReceive(message) != null;
    }
    if (!isPosted) {
      throw new FabricError(
          FabricError.Kind.OTHER,
          "a ready send to rank "
              + dest
              + ", tag "
              + message.tag
              + ", found no receive posted for it");
    }
  }
}
