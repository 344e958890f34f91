package org.reprise.ranks.calls;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.Member;
import org.reprise.ranks.engine.Message;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.journal.Plan;
import org.reprise.trace.file.Wire;

/** The probes of one rank: messages that are looked at and not received. */
final class Probes {
  private final RankCalls calls;

  Probes(RankCalls calls) {
    this.calls = calls;
  }

  Received probe(Communicator comm, int source, int tag) {
    Member member = calls.enter(MpiCall.PROBE, comm);
    if (source == Fabric.PROC_NULL) {
      calls.returned();
      return Received.NOBODY;
    }
    RankCalls.checkPattern(member, source, tag);
    boolean choosy = source == Fabric.ANY_SOURCE || tag == Fabric.ANY_TAG;
    int fromSource = source;
    int withTag = tag;
    if (choosy && calls.isReplaying()) {
      Plan.Choice choice = calls.plan().choice(MpiCall.PROBE, Plan.PROBES, source, tag);
      if (choice != null) {
        fromSource = choice.source();
        withTag = choice.tagOr(tag);
        calls.plan().checkSource(MpiCall.PROBE, choice, fromSource, member.peers().length);
      }
    }
    Message message = awaitMessage(MpiCall.PROBE, member, fromSource, withTag);
    Received seen = seen(message);
    if (choosy) {
      calls.journal.chose(Wire.Kind.PROBE, seen.source(), seen.tag(), tag == Fabric.ANY_TAG);
    }
    return probed(message, seen, source, tag);
  }

  private Message awaitMessage(MpiCall call, Member comm, int source, int tag) {
    Wait.ForMessage wait = new Wait.ForMessage(call, calls.rank, comm, source, tag);
    if (!calls.machine.matchesAtOnce()) {
      Message chosen = calls.decide(wait).seen();
      if (chosen != null) {
        return chosen;
      }
    }
    boolean waits = call == MpiCall.PROBE;
    if (waits && !calls.goesOn(wait.isOver())) {
      calls.await(wait);
    }
    // A receive of another thread may take it between the two looks.
    Message message = wait.find();
    while (message == null) {
      if (waits) {
        calls.await(wait);
      } else {
        calls.awaitPolled(wait);
      }
      message = wait.find();
    }
    return message;
  }

  private static Received seen(Message message) {
    return new Received(
        message.source, message.tag, message.payload.type(), message.payload.count(), false, null);
  }

  private Received probed(Message message, Received seen, int source, int tag) {
    calls.journal.probed(seen);
    if (calls.machine.observer != null) {
      calls.machine.observer.probed(calls.rank, message, source, tag);
    }
    calls.returned();
    return seen;
  }

  Optional<Received> iprobe(Communicator comm, int source, int tag) {
    Member member = calls.enter(MpiCall.IPROBE, comm);
    if (source == Fabric.PROC_NULL) {
      calls.returned();
      return Optional.of(Received.NOBODY);
    }
    RankCalls.checkPattern(member, source, tag);
    boolean choosy = source == Fabric.ANY_SOURCE || tag == Fabric.ANY_TAG;
    Message message;
    Plan.@Nullable Choice planned =
        calls.isReplaying()
            ? calls
                .plan()
                .poll(MpiCall.IPROBE, choosy ? Plan.FINDS : Plan.HITS, Wire.Poll.IPROBE.ordinal())
            : Plan.FREE;
    if (planned == Plan.FREE) {
      message = lookFor(member, source, tag);
    } else if (planned == null) {
      message = null;
    } else {
      int fromSource = choosy ? planned.source() : source;
      int withTag = choosy ? planned.tagOr(tag) : tag;
      calls.plan().checkSource(MpiCall.IPROBE, planned, fromSource, member.peers().length);
      message = awaitMessage(MpiCall.IPROBE, member, fromSource, withTag);
    }
    if (message == null) {
      calls.pollFailed();
      return Optional.empty();
    }
    Received seen = seen(message);
    if (choosy) {
      calls.journal.chose(Wire.Kind.FOUND, seen.source(), seen.tag(), tag == Fabric.ANY_TAG);
    } else {
      calls.journal.pollHit(Wire.Poll.IPROBE);
    }
    return Optional.of(probed(message, seen, source, tag));
  }

  private @Nullable Message lookFor(Member comm, int source, int tag) {
    Wait.ForMessage wait = new Wait.ForMessage(MpiCall.IPROBE, calls.rank, comm, source, tag);
    return calls.machine.matchesAtOnce() ? wait.find() : calls.decide(wait).seen();
  }
}
