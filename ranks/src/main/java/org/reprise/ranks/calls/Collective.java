package org.reprise.ranks.calls;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Machine;
import org.reprise.ranks.engine.Member;
import org.reprise.ranks.engine.PendingCollective;
import org.reprise.ranks.engine.Round;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Reduction;
import org.reprise.trace.Counted;

/** One rank's way through a collective operation: bring, wait as far as data flow, take. */
final class Collective {
  private final JobRank rank;
  private final Member comm;
  private final CollectiveCall call;

  Collective(JobRank rank, Member comm, CollectiveCall call) {
    this.rank = rank;
    this.comm = comm;
    this.call = call;
  }

  void run() {
    checkRoot();
    inRound(
        rank,
        comm,
        call.kind().call(),
        call.root(),
        flow(),
        brought(),
        round -> {
          take(round);
          return comm;
        });
  }

  /** Brings what this rank contributes and does not wait. */
  PendingCollective start(long post) {
    checkRoot();
    MpiCall how = call.kind().startingCall();
    long number = comm.rounds++;
    int place = comm.place();
    Round round =
        comm.context.round(
            number, n -> new Round(comm.everybody(), how, call.root(), place, flow()));
    PendingCollective started =
        new PendingCollective(rank, post, comm, call, round, number, this::take);
    round.arrive(place, how, call.root(), brought(), rank.machine);
    round.completes(started, place);
    return started;
  }

  private void checkRoot() {
    if (call.root() < 0 || call.root() >= comm.size()) {
      throw new FabricError(
          FabricError.Kind.ROOT,
          "root "
              + call.root()
              + " is not a rank of a communicator of "
              + Counted.of(comm.size(), "rank"));
    }
  }

  /** What a member makes of a round that is ready for it. */
  interface Taking<T extends @Nullable Object> {
    T take(Round round);
  }

  /** Takes part in the next collective operation of the communicator. */
  static <T extends @Nullable Object> T inRound(
      JobRank rank,
      Member comm,
      MpiCall call,
      int root,
      Round.Flow flow,
      Object brought,
      Taking<T> taking) {
    Machine machine = rank.machine;
    long number = comm.rounds++;
    int place = comm.place();
    Round round =
        comm.context.round(number, n -> new Round(comm.everybody(), call, root, place, flow));
    round.arrive(place, call, root, brought, machine);
    if (rank.isShared() || !rank.goesOn(round.isReadyOrWaits(place, rank))) {
      rank.await(new Wait.ForRound(call, round, place));
    }
    T taken = taking.take(round);
    if (round.leave()) {
      comm.context.forget(number);
    }
    return taken;
  }

  private Round.Flow flow() {
    return switch (call.kind()) {
      case BARRIER, ALLGATHER, ALLTOALL, ALLREDUCE, REDUCE_SCATTER -> Round.Flow.ALL_TO_ALL;
      case BCAST, SCATTER -> Round.Flow.ROOT_TO_ALL;
      case GATHER, REDUCE -> Round.Flow.ALL_TO_ROOT;
      case SCAN, EXSCAN -> Round.Flow.UPWARDS;
    };
  }

  /** A copy of what this rank contributes: it may go on and change its own before others look. */
  private CollectiveCall brought() {
    boolean silent =
        switch (call.kind()) {
          case BARRIER -> true;
          case BCAST, SCATTER -> comm.rank() != call.root();
          default -> false;
        };
    return new CollectiveCall(
        call.kind(),
        call.root(),
        silent ? Payload.EMPTY : call.send().copy(),
        call.sendParts(),
        Payload.EMPTY,
        null,
        null);
  }

  /** Takes what a round that is ready brings this rank. */
  void take(Round round) {
    boolean isRoot = comm.rank() == call.root();
    switch (call.kind()) {
      case BARRIER -> {}
      case BCAST -> {
        if (!isRoot) {
          copy(sent(round, call.root()), call.receive());
        }
      }
      case SCATTER -> copy(part(round, call.root(), comm.rank()), call.receive());
      case GATHER -> {
        if (isRoot) {
          gather(round);
        }
      }
      case ALLGATHER -> gather(round);
      case ALLTOALL -> {
        for (int i = 0; i < comm.size(); i++) {
          copy(part(round, i, comm.rank()), ownPart(i));
        }
      }
      case REDUCE -> {
        if (isRoot) {
          copy(reduced(round), call.receive());
        }
      }
      case ALLREDUCE -> copy(reduced(round), call.receive());
      case REDUCE_SCATTER -> copy(ownShare(reduced(round)), call.receive());
      case SCAN -> copy(round.partial(comm.rank(), reduction()), call.receive());
      case EXSCAN -> {
        if (comm.rank() > 0) {
          copy(round.partial(comm.rank() - 1, reduction()), call.receive());
        }
      }
    }
  }

  private static Payload sent(Round round, int member) {
    return ((CollectiveCall) round.contribution(member)).send();
  }

  /** What {@code from} sends to {@code to}, of those that send each member its part. */
  private Payload part(Round round, int from, int to) {
    CollectiveCall theirs = (CollectiveCall) round.contribution(from);
    return part(theirs.send(), theirs.sendParts(), to);
  }

  private Payload ownPart(int of) {
    return part(call.receive(), call.receiveParts(), of);
  }

  private Payload part(Payload whole, CollectiveCall.@Nullable Parts parts, int member) {
    if (parts != null) {
      return whole.slice(parts.displacements()[member], parts.counts()[member]);
    }
    int each = whole.count() / comm.size();
    return whole.slice(member * each, each);
  }

  private void gather(Round round) {
    for (int i = 0; i < comm.size(); i++) {
      copy(sent(round, i), ownPart(i));
    }
  }

  private Payload reduced(Round round) {
    return (Payload) round.result(() -> round.partial(comm.size() - 1, reduction()));
  }

  private Payload ownShare(Payload whole) {
    CollectiveCall.Parts parts = call.receiveParts();
    if (parts == null) {
      return part(whole, null, comm.rank());
    }
    int before = 0;
    for (int i = 0; i < comm.rank(); i++) {
      before += parts.counts()[i];
    }
    return whole.slice(before, parts.counts()[comm.rank()]);
  }

  private Reduction reduction() {
    return Objects.requireNonNull(call.reduction(), "a reduction without an operation");
  }

  private void copy(Payload from, Payload to) {
    if (from.array().getClass() != to.array().getClass() && from.count() > 0) {
      throw new FabricError(
          FabricError.Kind.TYPE,
          call.kind().call()
              + " with "
              + from.type()
              + " on one rank and "
              + to.type()
              + " on another");
    }
    if (from.count() > to.count()) {
      throw new FabricError(
          FabricError.Kind.TRUNCATE,
          call.kind().call()
              + ": "
              + from.count()
              + " elements do not fit into room for "
              + to.count());
    }
    System.arraycopy(from.array(), from.offset(), to.array(), to.offset(), from.count());
  }
}
