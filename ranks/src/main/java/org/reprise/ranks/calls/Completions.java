package org.reprise.ranks.calls;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.Pending;
import org.reprise.ranks.engine.PendingCollective;
import org.reprise.ranks.engine.PendingReceive;
import org.reprise.ranks.engine.PendingSend;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.journal.Plan;
import org.reprise.trace.file.Wire;

/**
 * The calls of one rank by which it learns what became of its operations: Wait, Test and their
 * families, and those by which it gives an operation up.
 */
final class Completions {
  private final RankCalls calls;

  Completions(RankCalls calls) {
    this.calls = calls;
  }

  int @Nullable [] complete(@Nullable Operation[] operations, CompletionMode mode) {
    calls.enter(mode.call());
    @Nullable Pending[] wanted = wanted(operations);
    boolean active = Arrays.stream(wanted).anyMatch(p -> p != null);
    int[] indices;
    if (!active) {
      indices = noneActive(mode);
    } else {
      Wait.ForOperations wait = new Wait.ForOperations(mode.call(), wanted, mode);
      indices =
          mode == CompletionMode.WAIT || mode == CompletionMode.WAIT_ALL ? all(wait) : chosen(wait);
      if (indices == null) {
        calls.pollFailed();
        return null;
      }
      tellIndices(mode, indices);
    }
    FabricError failure = null;
    for (int index : indices) {
      FabricError own = report(mode, index, wanted[index]);
      failure = failure == null ? own : failure;
    }
    calls.returned();
    if (failure != null) {
      throw failure;
    }
    return indices;
  }

  private @Nullable Pending[] wanted(@Nullable Operation[] operations) {
    @Nullable Pending[] wanted = new Pending[operations.length];
    for (int i = 0; i < operations.length; i++) {
      Operation operation = operations[i];
      if (operation == null) {
        continue;
      }
      if (!(operation instanceof Pending own) || own.owner != calls.rank) {
        throw new FabricError(
            FabricError.Kind.REQUEST,
            "rank " + calls.rank.number + " completes a request that is not its own");
      }
      if (own.reported) {
        throw new FabricError(FabricError.Kind.REQUEST, "the request was completed already");
      }
      wanted[i] = own;
    }
    return wanted;
  }

  private int[] noneActive(CompletionMode mode) {
    boolean replays = calls.isReplaying();
    switch (mode) {
      case WAIT, WAIT_ALL -> {}
      case TEST -> {
        if (replays) {
          calls.plan().poll(mode.call(), Plan.HITS, Wire.Poll.TEST.ordinal());
        }
        calls.journal.pollHit(Wire.Poll.TEST);
      }
      case TEST_ALL -> {
        if (replays) {
          calls.plan().poll(mode.call(), Plan.HITS, Wire.Poll.TESTALL.ordinal());
        }
        calls.journal.pollHit(Wire.Poll.TESTALL);
      }
      case WAIT_ANY, TEST_ANY -> {
        if (replays) {
          calls.plan().take(mode.call(), Plan.INDEX, 0, 0);
        }
        calls.journal.index(Fabric.UNDEFINED);
      }
      case WAIT_SOME, TEST_SOME -> {
        if (replays) {
          calls.plan().take(mode.call(), Plan.INDICES, 0, 0);
        }
        calls.journal.indices(false, Fabric.NONE_ACTIVE);
      }
    }
    return Fabric.NONE_ACTIVE;
  }

  private int[] all(Wait.ForOperations wait) {
    if (!calls.goesOn(wait.isOver())) {
      calls.await(wait);
    }
    return activeOf(wait.operations);
  }

  private static int[] activeOf(@Nullable Pending[] operations) {
    int[] indices = new int[operations.length];
    int count = 0;
    for (int i = 0; i < operations.length; i++) {
      if (operations[i] != null) {
        indices[count++] = i;
      }
    }
    return Arrays.copyOf(indices, count);
  }

  /** Which operations a call reports that may report some or none; null if a poll fails. */
  private int @Nullable [] chosen(Wait.ForOperations wait) {
    CompletionMode mode = wait.mode;
    if (calls.isReplaying()) {
      Plan.Choice planned = planned(mode, wait.operations.length);
      if (planned == null) {
        return null;
      }
      if (planned != Plan.FREE) {
        int[] indices = indices(planned, mode, wait.operations);
        if (indices != null) {
          awaitThese(wait, indices);
          return indices;
        }
      }
    }
    return calls.machine.matchesAtOnce() ? chosenFreely(wait) : chosenByScheduler(wait);
  }

  private Plan.@Nullable Choice planned(CompletionMode mode, int count) {
    return switch (mode) {
      case TEST -> calls.plan().poll(mode.call(), Plan.HITS, Wire.Poll.TEST.ordinal());
      case TEST_ALL -> calls.plan().poll(mode.call(), Plan.HITS, Wire.Poll.TESTALL.ordinal());
      case TEST_ANY -> calls.plan().poll(mode.call(), Plan.INDEX, 0);
      case TEST_SOME -> calls.plan().poll(mode.call(), Plan.INDICES, 0);
      case WAIT_ANY -> calls.plan().takeOrFree(mode.call(), Plan.INDEX, count, 0);
      case WAIT_SOME -> calls.plan().takeOrFree(mode.call(), Plan.INDICES, count, 0);
      case WAIT, WAIT_ALL -> Plan.FREE;
    };
  }

  /** What the plan names, if these requests are there; else the program has left the record. */
  private int @Nullable [] indices(
      Plan.Choice planned, CompletionMode mode, @Nullable Pending[] operations) {
    int[] indices = planned.isHit() ? activeOf(operations) : planned.indices();
    if (indices.length == 0) {
      // Nothing was active there, and now something is.
      calls.plan().otherRequests(mode.call(), planned, operations.length, Fabric.UNDEFINED);
      return null;
    }
    for (int index : indices) {
      if (index >= operations.length || operations[index] == null) {
        calls.plan().otherRequests(mode.call(), planned, operations.length, index);
        return null;
      }
    }
    return indices;
  }

  private void awaitThese(Wait.ForOperations wait, int[] indices) {
    @Nullable Pending[] these = new Pending[indices.length];
    for (int i = 0; i < indices.length; i++) {
      these[i] = wait.operations[indices[i]];
    }
    Wait.ForOperations only = new Wait.ForOperations(wait.call, these, CompletionMode.WAIT_ALL);
    if (wait.mode.waits()) {
      if (!calls.goesOn(only.isOver())) {
        calls.await(only);
      }
    } else if (!only.isOver()) {
      calls.awaitPolled(only);
    }
  }

  private int @Nullable [] chosenByScheduler(Wait.ForOperations wait) {
    List<Integer> indices = calls.decide(wait).indices();
    return indices == null ? null : indices.stream().mapToInt(Integer::intValue).toArray();
  }

  private int @Nullable [] chosenFreely(Wait.ForOperations wait) {
    if (wait.mode.waits()) {
      if (!calls.goesOn(wait.isOver())) {
        calls.await(wait);
      }
    } else if (!wait.isOver()) {
      return null;
    }
    if (wait.wantsAll()) {
      return activeOf(wait.operations);
    }
    boolean one = wait.mode == CompletionMode.WAIT_ANY || wait.mode == CompletionMode.TEST_ANY;
    int[] done = new int[wait.operations.length];
    int count = 0;
    for (int i = 0; i < done.length && !(one && count == 1); i++) {
      Pending operation = wait.operations[i];
      if (operation != null && operation.done) {
        done[count++] = i;
      }
    }
    return Arrays.copyOf(done, count);
  }

  private void tellIndices(CompletionMode mode, int[] indices) {
    switch (mode) {
      case WAIT, WAIT_ALL -> {}
      case TEST -> calls.journal.pollHit(Wire.Poll.TEST);
      case TEST_ALL -> calls.journal.pollHit(Wire.Poll.TESTALL);
      case WAIT_ANY, TEST_ANY -> calls.journal.index(indices[0]);
      case WAIT_SOME, TEST_SOME -> calls.journal.indices(true, indices);
    }
  }

  private @Nullable FabricError report(
      CompletionMode mode, int index, @Nullable Pending operation) {
    if (operation == null) {
      return null;
    }
    switch (mode) {
      case WAIT_ANY, TEST_ANY -> calls.journal.reported(Wire.Kind.INDEX, index);
      case WAIT_SOME, TEST_SOME -> calls.journal.reported(Wire.Kind.INDICES, index);
      case WAIT, TEST, WAIT_ALL, TEST_ALL -> {}
    }
    operation.reported = true;
    calls.pending--;
    switch (operation) {
      case PendingReceive receive -> completed(receive);
      case PendingCollective collective -> collective.finish();
      case PendingSend _ -> {}
    }
    if (calls.machine.observer != null) {
      calls.machine.observer.completed(calls.rank, operation);
    }
    return operation.failure;
  }

  private void completed(PendingReceive receive) {
    Received got = receive.received();
    if (got.cancelled()) {
      calls.journal.cancelReported(receive.post);
    } else if (got != Received.NOBODY) {
      calls.open.reported(receive);
      calls.took(receive, got);
    }
  }

  void cancel(Operation operation) {
    calls.enter(MpiCall.CANCEL);
    @Nullable Pending[] wanted = wanted(new Operation[] {operation});
    // A send has left when it was started, or somebody may have it already: too late.
    if (wanted[0] instanceof PendingReceive receive && !receive.done) {
      cancel(receive, wanted);
    }
    calls.returned();
  }

  private void cancel(PendingReceive receive, @Nullable Pending[] wanted) {
    if (calls.isReplaying()) {
      if (!calls.plan().post(MpiCall.CANCEL, receive.post, false).matches()) {
        receive.cancel();
      }
    } else if (calls.machine.matchesAtOnce()) {
      calls.machine.withdraw(receive);
    } else {
      calls.decide(new Wait.ForOperations(MpiCall.CANCEL, wanted, CompletionMode.TEST));
    }
    Received got = receive.received;
    if (receive.done && got != null && got.cancelled()) {
      calls.open.cancelled(receive);
    }
  }

  void release(Operation operation) {
    calls.enter(MpiCall.REQUEST_FREE);
    Pending released = wanted(new Operation[] {operation})[0];
    if (released != null) {
      released.reported = true;
      calls.pending--;
    }
    calls.returned();
  }
}
