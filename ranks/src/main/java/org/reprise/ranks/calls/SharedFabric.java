package org.reprise.ranks.calls;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Turns;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.RankEnded;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.fabric.SendMode;

/**
 * Stands before a rank's fabric and lets the threads of the rank in by turns ({@link Turns}), as
 * soon as the program has created any. Hot: with one thread it only passes calls on.
 */
public final class SharedFabric extends FabricLayer {
  private final JobRank rank;
  private final Fabric fabric;

  public SharedFabric(JobRank rank, Fabric fabric) {
    super(fabric);
    this.rank = rank;
    this.fabric = fabric;
  }

  private void inTurn(Runnable call) {
    rank.turns.call(
        () -> {
          call.run();
          return true;
        });
  }

  @Override
  public void beforeLock() {
    if (rank.isShared()) {
      rank.turns.beforeLock();
    }
  }

  @Override
  public void afterLock() {
    if (rank.isShared()) {
      rank.turns.afterLock();
    }
  }

  @Override
  public void init() {
    if (rank.isShared()) {
      inTurn(() -> fabric.init());
    } else {
      fabric.init();
    }
  }

  @Override
  public Leftovers finish() {
    return rank.isShared() ? rank.turns.call(() -> fabric.finish()) : fabric.finish();
  }

  @Override
  public RankEnded abort(int code) {
    return rank.isShared() ? rank.turns.call(() -> fabric.abort(code)) : fabric.abort(code);
  }

  @Override
  public void warn(String text) {
    if (rank.isShared()) {
      inTurn(() -> fabric.warn(text));
    } else {
      fabric.warn(text);
    }
  }

  @Override
  public double wtime() {
    return rank.isShared() ? rank.turns.call(() -> fabric.wtime()) : fabric.wtime();
  }

  @Override
  public void send(Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    if (rank.isShared()) {
      inTurn(() -> fabric.send(comm, dest, tag, payload, mode));
    } else {
      fabric.send(comm, dest, tag, payload, mode);
    }
  }

  @Override
  public Operation startSend(Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    return rank.isShared()
        ? rank.turns.call(() -> fabric.startSend(comm, dest, tag, payload, mode))
        : fabric.startSend(comm, dest, tag, payload, mode);
  }

  @Override
  public Received receive(Communicator comm, int source, int tag, @Nullable Payload room) {
    return rank.isShared()
        ? rank.turns.call(() -> fabric.receive(comm, source, tag, room))
        : fabric.receive(comm, source, tag, room);
  }

  @Override
  public Operation startReceive(Communicator comm, int source, int tag, @Nullable Payload room) {
    return rank.isShared()
        ? rank.turns.call(() -> fabric.startReceive(comm, source, tag, room))
        : fabric.startReceive(comm, source, tag, room);
  }

  @Override
  public Received sendReceive(
      Communicator comm,
      int dest,
      int sendTag,
      Payload payload,
      int source,
      int receiveTag,
      @Nullable Payload room) {
    return rank.isShared()
        ? rank.turns.call(
            () -> fabric.sendReceive(comm, dest, sendTag, payload, source, receiveTag, room))
        : fabric.sendReceive(comm, dest, sendTag, payload, source, receiveTag, room);
  }

  @Override
  public Received probe(Communicator comm, int source, int tag) {
    return rank.isShared()
        ? rank.turns.call(() -> fabric.probe(comm, source, tag))
        : fabric.probe(comm, source, tag);
  }

  @Override
  public Optional<Received> iprobe(Communicator comm, int source, int tag) {
    return rank.isShared()
        ? rank.turns.call(() -> fabric.iprobe(comm, source, tag))
        : fabric.iprobe(comm, source, tag);
  }

  @Override
  public int @Nullable [] complete(@Nullable Operation[] operations, CompletionMode mode) {
    return rank.isShared()
        ? rank.turns.call(() -> fabric.complete(operations, mode))
        : fabric.complete(operations, mode);
  }

  @Override
  public void cancel(Operation operation) {
    if (rank.isShared()) {
      inTurn(() -> fabric.cancel(operation));
    } else {
      fabric.cancel(operation);
    }
  }

  @Override
  public void release(Operation operation) {
    if (rank.isShared()) {
      inTurn(() -> fabric.release(operation));
    } else {
      fabric.release(operation);
    }
  }

  @Override
  public Communicator dup(Communicator comm) {
    return rank.isShared() ? rank.turns.call(() -> fabric.dup(comm)) : fabric.dup(comm);
  }

  @Override
  public @Nullable Communicator split(Communicator comm, int color, int key) {
    return rank.isShared()
        ? rank.turns.call(() -> fabric.split(comm, color, key))
        : fabric.split(comm, color, key);
  }

  @Override
  public @Nullable Communicator create(Communicator comm, int[] ranks, MpiCall how) {
    return rank.isShared()
        ? rank.turns.call(() -> fabric.create(comm, ranks, how))
        : fabric.create(comm, ranks, how);
  }

  @Override
  public Communicator createInter(
      Communicator local, int leader, @Nullable Communicator peer, int remoteLeader, int tag) {
    return rank.isShared()
        ? rank.turns.call(() -> fabric.createInter(local, leader, peer, remoteLeader, tag))
        : fabric.createInter(local, leader, peer, remoteLeader, tag);
  }

  @Override
  public Communicator merge(Communicator inter, boolean high) {
    return rank.isShared()
        ? rank.turns.call(() -> fabric.merge(inter, high))
        : fabric.merge(inter, high);
  }

  @Override
  public void free(Communicator comm) {
    if (rank.isShared()) {
      inTurn(() -> fabric.free(comm));
    } else {
      fabric.free(comm);
    }
  }

  @Override
  public void collective(Communicator comm, CollectiveCall call) {
    if (rank.isShared()) {
      inTurn(() -> fabric.collective(comm, call));
    } else {
      fabric.collective(comm, call);
    }
  }

  @Override
  public Operation startCollective(Communicator comm, CollectiveCall call) {
    return rank.isShared()
        ? rank.turns.call(() -> fabric.startCollective(comm, call))
        : fabric.startCollective(comm, call);
  }
}
