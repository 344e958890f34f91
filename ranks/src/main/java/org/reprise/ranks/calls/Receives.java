package org.reprise.ranks.calls;

import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.Member;
import org.reprise.ranks.engine.Pending;
import org.reprise.ranks.engine.PendingReceive;
import org.reprise.ranks.engine.PendingSend;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.fabric.SendMode;
import org.reprise.ranks.journal.Plan;
import org.reprise.trace.file.Wire;

/** The receives of one rank, the one of MPI_Sendrecv among them. */
final class Receives {
  private final RankCalls calls;
  private final Sends sends;
  private @Nullable Received takenInVain;

  Receives(RankCalls calls, Sends sends) {
    this.calls = calls;
    this.sends = sends;
  }

  /** What the last blocking receive took that failed nevertheless. */
  @Nullable Received takenInVain() {
    return takenInVain;
  }

  Received receive(Communicator comm, int source, int tag, @Nullable Payload room) {
    Member member = calls.enter(MpiCall.RECV, comm);
    if (source == Fabric.PROC_NULL) {
      calls.returned();
      return Received.NOBODY;
    }
    PendingReceive receive = post(MpiCall.RECV, member, source, tag, room);
    if (!calls.goesOn(receive.done)) {
      calls.await(new Wait.ForOperations(MpiCall.RECV, receive));
    }
    return received(receive);
  }

  /** Posts the receive of a blocking call; in a replay as it came out. */
  private PendingReceive post(
      MpiCall call, Member comm, int source, int tag, @Nullable Payload room) {
    RankCalls.checkPattern(comm, source, tag);
    boolean anySource = source == Fabric.ANY_SOURCE;
    boolean anyTag = tag == Fabric.ANY_TAG;
    int fromSource = source;
    int withTag = tag;
    if ((anySource || anyTag) && calls.isReplaying()) {
      Plan.Choice choice = calls.plan().choice(call, Plan.RECEIVES, source, tag);
      if (choice != null) {
        fromSource = choice.source();
        withTag = choice.tagOr(tag);
        calls.plan().checkSource(call, choice, fromSource, comm.peers().length);
      }
    }
    PendingReceive receive =
        new PendingReceive(calls.rank, -1, comm, fromSource, withTag, room, anySource, anyTag);
    calls.machine.post(receive);
    return receive;
  }

  private Received received(PendingReceive receive) {
    Received got = receive.received();
    receive.reported = true;
    if (receive.isOpen()) {
      calls.journal.chose(Wire.Kind.RECV, got.source(), got.tag(), receive.askedAnyTag);
    }
    calls.took(receive, got);
    if (calls.machine.observer != null) {
      calls.machine.observer.completed(calls.rank, receive);
    }
    calls.returned();
    if (receive.failure != null) {
      takenInVain = got;
      throw receive.failure;
    }
    return got;
  }

  Operation start(Communicator comm, int source, int tag, @Nullable Payload room) {
    Member member = calls.enter(MpiCall.IRECV, comm);
    long post = calls.journal.nextPost();
    calls.pending++;
    if (source == Fabric.PROC_NULL) {
      PendingReceive nobody =
          new PendingReceive(calls.rank, post, member, source, tag, room, false, false);
      nobody.received = Received.NOBODY;
      nobody.done = true;
      calls.returned();
      return nobody;
    }
    RankCalls.checkPattern(member, source, tag);
    boolean anySource = source == Fabric.ANY_SOURCE;
    boolean anyTag = tag == Fabric.ANY_TAG;
    int fromSource = source;
    int withTag = tag;
    boolean matches = true;
    if (calls.isReplaying()) {
      Plan.Fate fate = calls.plan().post(MpiCall.IRECV, post, anySource || anyTag);
      matches = fate.matches();
      if (fate.isForced()) {
        fromSource = fate.source();
        withTag = fate.tagOr(tag);
        calls.plan().checkSource(MpiCall.IRECV, null, fromSource, member.peers().length);
      }
    }
    PendingReceive receive =
        new PendingReceive(calls.rank, post, member, fromSource, withTag, room, anySource, anyTag);
    if (matches) {
      calls.machine.post(receive);
    }
    if (receive.isOpen()) {
      calls.open.add(receive);
    }
    calls.returned();
    return receive;
  }

  Received sendReceive(
      Communicator comm,
      int dest,
      int sendTag,
      Payload payload,
      int source,
      int receiveTag,
      @Nullable Payload room) {
    Member member = calls.enter(MpiCall.SENDRECV, comm);
    PendingReceive receive =
        source == Fabric.PROC_NULL
            ? null
            : post(MpiCall.SENDRECV, member, source, receiveTag, room);
    PendingSend send = sends.begin(member, dest, sendTag, payload, SendMode.STANDARD, -1);
    Wait.ForOperations wait =
        new Wait.ForOperations(
            MpiCall.SENDRECV, new Pending[] {receive, send}, CompletionMode.WAIT_ALL);
    if (!calls.goesOn(wait.isOver())) {
      calls.await(wait);
    }
    if (receive == null) {
      calls.returned();
      return Received.NOBODY;
    }
    return received(receive);
  }
}
