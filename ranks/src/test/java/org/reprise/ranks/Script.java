package org.reprise.ranks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.PendingReceive;
import org.reprise.ranks.engine.RankProgram;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.fabric.SendMode;

/**
 * A small message-passing program as data: a list of steps for each rank. It runs on a fabric,
 * which leaves what every rank saw in a log, and {@link Interleavings} runs it without the engine.
 */
record Script(List<List<Step>> ranks) {
  static final int ANY = Fabric.ANY_SOURCE;
  static final int ANY_TAG = Fabric.ANY_TAG;

  /** One call. Slots are names of requests. */
  sealed interface Step {
    record Send(int dest, int tag, boolean sync) implements Step {}

    record Isend(int slot, int dest, int tag, boolean sync) implements Step {}

    record Recv(int source, int tag) implements Step {}

    record Irecv(int slot, int source, int tag) implements Step {}

    /** Cancels a receive, unless it was completed before. */
    record Cancel(int slot) implements Step {}

    record Complete(CompletionMode mode, List<Integer> slots) implements Step {}

    record Probe(int source, int tag, boolean poll) implements Step {}

    record Barrier() implements Step {}

    record Bcast(int root) implements Step {}

    /** Passes over so many steps if the last message, seen or received, was of this source. */
    record SkipIfFrom(int source, int steps) implements Step {}
  }

  /** What one rank saw so far, in words, and the last source. */
  static final class Log {
    final List<String> lines = new ArrayList<>();
    int lastSource = -1;

    void received(String how, Received message) {
      lastSource = message.source();
      lines.add(how + " " + message.source() + "/" + message.tag());
    }
  }

  /** The program; logs get one entry a rank. */
  RankProgram program(List<Log> logs) {
    logs.clear();
    for (int i = 0; i < ranks.size(); i++) {
      logs.add(new Log());
    }
    boolean cancels =
        ranks.stream().flatMap(List::stream).anyMatch(step -> step instanceof Step.Cancel);
    return new RankProgram() {
      @Override
      public void run(int rank) {
        Script.run(ranks.get(rank), logs.get(rank));
      }

      @Override
      public boolean cancels() {
        return cancels;
      }
    };
  }

  private static void run(List<Step> steps, Log log) {
    Fabric mpi = CurrentRank.fabric();
    Map<Integer, Operation> slots = new HashMap<>();
    for (int at = 0; at < steps.size(); at++) {
      switch (steps.get(at)) {
        case Step.Send(int dest, int tag, boolean sync) -> {
          mpi.send(mpi.world(), dest, tag, Payload.EMPTY, mode(sync));
          log.lines.add("sent");
        }
        case Step.Isend(int slot, int dest, int tag, boolean sync) ->
            slots.put(slot, mpi.startSend(mpi.world(), dest, tag, Payload.EMPTY, mode(sync)));
        case Step.Recv(int source, int tag) ->
            log.received("got", mpi.receive(mpi.world(), source, tag, null));
        case Step.Irecv(int slot, int source, int tag) ->
            slots.put(slot, mpi.startReceive(mpi.world(), source, tag, null));
        case Step.Cancel(int slot) -> {
          Operation operation = slots.get(slot);
          if (operation != null) {
            mpi.cancel(operation);
          }
        }
        case Step.Complete(CompletionMode mode, List<Integer> wanted) ->
            complete(mpi, mode, wanted, slots, log);
        case Step.Probe(int source, int tag, boolean poll) -> {
          Optional<Received> seen =
              poll
                  ? mpi.iprobe(mpi.world(), source, tag)
                  : Optional.of(mpi.probe(mpi.world(), source, tag));
          seen.ifPresentOrElse(
              message -> log.received("saw", message), () -> log.lines.add("saw nothing"));
        }
        case Step.Barrier() -> {
          mpi.collective(mpi.world(), CollectiveCall.barrier());
          log.lines.add("out");
        }
        case Step.Bcast(int root) -> {
          mpi.collective(mpi.world(), CollectiveCall.bcast(root, Programs.ints(0)));
          log.lines.add("out");
        }
        case Step.SkipIfFrom(int source, int count) -> at += log.lastSource == source ? count : 0;
      }
    }
    log.lines.add("end");
  }

  static SendMode mode(boolean sync) {
    return sync ? SendMode.SYNCHRONOUS : SendMode.STANDARD;
  }

  private static void complete(
      Fabric mpi,
      CompletionMode mode,
      List<Integer> wanted,
      Map<Integer, Operation> slots,
      Log log) {
    @Nullable Operation[] operations = new Operation[wanted.size()];
    for (int i = 0; i < operations.length; i++) {
      operations[i] = slots.get(wanted.get(i));
    }
    int[] indices = mpi.complete(operations, mode);
    if (indices == null) {
      log.lines.add(mode + " failed");
      return;
    }
    log.lines.add(mode + " " + indices.length);
    for (int index : indices) {
      Operation operation = operations[index];
      slots.remove(wanted.get(index));
      if (operation instanceof PendingReceive receive && receive.received().cancelled()) {
        log.lines.add("slot " + wanted.get(index) + " cancelled");
      } else if (operation instanceof PendingReceive receive) {
        log.received("slot " + wanted.get(index), receive.received());
      } else {
        log.lines.add("slot " + wanted.get(index));
      }
    }
  }

  static List<List<String>> lines(List<Log> logs) {
    return logs.stream().map(log -> List.copyOf(log.lines)).toList();
  }
}
