package org.reprise.causality;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.Happening;
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
 * A small program as the embedded engine runs it. Receives and probes are numbered together, as in
 * {@link Machine}, and some may be forced: they ask for the source that they are to take, and those
 * that are to take nothing ask for what nobody sends.
 */
final class EngineProgram implements RankProgram {
  private static final int TAG_OF_NOBODY = 1000;

  private final Machine.Program program;
  private final Map<Integer, Integer> forced;
  private final Map<Integer, Boolean> polls;
  private final int @Nullable [] calls;
  private final boolean halts;

  /** By rank: the calls that have returned, as far as there is a limit to them. */
  final int[] returned;

  private EngineProgram(
      Machine.Program program,
      Map<Integer, Integer> forced,
      Map<Integer, Boolean> polls,
      int @Nullable [] calls,
      boolean halts) {
    this.halts = halts;
    this.program = program;
    this.forced = forced;
    this.polls = polls;
    this.calls = calls;
    returned = new int[program.ranks().size()];
  }

  /** A program in which nothing is forced. */
  EngineProgram(Machine.Program program) {
    this(program, Map.of(), Map.of(), null, false);
  }

  /** A program whose ranks just end where they are to abort, and let the others go on. */
  static EngineProgram halting(Machine.Program program) {
    return new EngineProgram(program, Map.of(), Map.of(), null, true);
  }

  /**
   * A program in which polls come to what they came to, as in every replay.
   *
   * @param forced sources by receive; {@link Machine#NONE} for one that never matches
   * @param polls whether it succeeded, by poll: {@code 100 * rank + number}
   */
  EngineProgram(
      Machine.Program program, Map<Integer, Integer> forced, Map<Integer, Boolean> polls) {
    this(program, forced, polls, null, false);
  }

  /** A program of which each rank makes so many calls, and then waits for what nobody sends. */
  static EngineProgram upTo(Machine.Program program, int... calls) {
    return new EngineProgram(program, Map.of(), Map.of(), calls, false);
  }

  @Override
  public void run(int rank) {
    new Run(rank).run(program.ranks().get(rank));
  }

  /** One rank's way through the program. */
  private final class Run {
    private final Fabric mpi = CurrentRank.fabric();
    private final Map<Integer, Pending> requests = new HashMap<>();
    private final int rank;
    private int nextReceive;
    private int nextPoll;
    private int made;
    private int last = Machine.NONE;

    /** An operation that may be waited for, and where the message of a receive comes from. */
    private record Pending(Operation operation, boolean receives) {}

    Run(int rank) {
      this.rank = rank;
      nextReceive = 100 * rank;
      nextPoll = 100 * rank;
    }

    void run(List<Step> steps) {
      for (int at = 0; at < steps.size(); at++) {
        Step step = steps.get(at);
        if (step.op() == Step.Op.UNLESS) {
          at += last == step.peer() ? 0 : step.request();
        } else if (step.op() == Step.Op.ABORT && halts) {
          return;
        } else if (!isIdle(step)) {
          if (calls != null && made++ == calls[rank]) {
            mpi.receive(mpi.world(), rank, TAG_OF_NOBODY, null);
          }
          call(step, step.peer() == Step.LAST ? last : step.peer());
          returned[rank]++;
        }
      }
    }

    /** Whether a step makes no call. */
    private boolean isIdle(Step step) {
      boolean completes = step.op() == Step.Op.WAIT || step.op() == Step.Op.TEST;
      return step.peer() == Step.LAST && last == Machine.NONE
          || completes && !requests.containsKey(step.request());
    }

    private void call(Step step, int peer) {
      SendMode mode = step.sync() ? SendMode.SYNCHRONOUS : SendMode.STANDARD;
      switch (step.op()) {
        case SEND -> mpi.send(mpi.world(), peer, step.tag(), Payload.EMPTY, mode);
        case ISEND ->
            requests.put(
                step.request(),
                new Pending(
                    mpi.startSend(mpi.world(), peer, step.tag(), Payload.EMPTY, mode), false));
        case RECV -> {
          Integer source = forced.get(nextReceive++);
          got(mpi.receive(mpi.world(), source(source, peer), tag(source, step.tag()), null));
        }
        case IRECV -> {
          Integer source = forced.get(nextReceive++);
          requests.put(
              step.request(),
              new Pending(
                  mpi.startReceive(
                      mpi.world(), source(source, peer), tag(source, step.tag()), null),
                  true));
        }
        case PROBE -> {
          Integer source = forced.get(nextReceive++);
          got(mpi.probe(mpi.world(), source(source, peer), tag(source, step.tag())));
        }
        case IPROBE -> {
          Integer source = forced.get(nextReceive++);
          Boolean succeeds = polls.get(nextPoll++);
          if (succeeds == null) {
            mpi.iprobe(mpi.world(), source(source, peer), tag(source, step.tag()))
                .ifPresent(this::got);
          } else if (succeeds) {
            got(mpi.probe(mpi.world(), source(source, peer), tag(source, step.tag())));
          } else {
            mpi.iprobe(mpi.world(), source(null, peer), TAG_OF_NOBODY);
          }
        }
        case TEST -> {
          Boolean succeeds = polls.get(nextPoll++);
          if (succeeds == null || succeeds) {
            complete(step, succeeds == null ? CompletionMode.TEST : CompletionMode.WAIT);
          }
        }
        case WAIT -> complete(step, CompletionMode.WAIT);
        case BARRIER -> mpi.collective(mpi.world(), CollectiveCall.barrier());
        case BCAST -> mpi.collective(mpi.world(), CollectiveCall.bcast(peer, Payload.EMPTY));
        case REDUCE ->
            mpi.collective(
                mpi.world(),
                CollectiveCall.reduce(peer, Payload.EMPTY, Payload.EMPTY, (_, _) -> {}));
        case ABORT -> throw mpi.abort(3);
        case UNLESS -> throw new IllegalStateException("not a call");
      }
    }

    private void complete(Step step, CompletionMode mode) {
      Pending pending = requests.get(step.request());
      if (pending != null && mpi.complete(new Operation[] {pending.operation}, mode) != null) {
        requests.remove(step.request());
        if (pending.receives) {
          got(pending.operation.received());
        }
      }
    }

    private void got(Received message) {
      last = message.source();
    }

    private static int source(@Nullable Integer forced, int asked) {
      int source = forced == null || forced == Machine.NONE ? asked : forced;
      return source == Step.ANY ? Fabric.ANY_SOURCE : source;
    }

    private static int tag(@Nullable Integer forced, int asked) {
      if (forced != null && forced == Machine.NONE) {
        return TAG_OF_NOBODY;
      }
      return asked == Step.ANY ? Fabric.ANY_TAG : asked;
    }
  }

  /** The model's name of a message. */
  static int name(Happening.MessageId message) {
    return 100 * message.sender() + (int) message.number();
  }
}
