package org.reprise.ranks.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.Caller;
import org.reprise.ranks.engine.CommContext;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Machine;
import org.reprise.ranks.engine.Member;
import org.reprise.ranks.engine.PendingCollective;
import org.reprise.ranks.engine.PendingReceive;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.Inputs;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.RankEnded;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.fabric.SendMode;
import org.reprise.ranks.inputs.RecordedInputs;
import org.reprise.ranks.journal.Identity;
import org.reprise.ranks.journal.Journal;
import org.reprise.ranks.journal.Plan;
import org.reprise.ranks.journal.SourceLine;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.LiveRecorder;

/**
 * The fabric of one rank of an embedded job: each call is checked, handed to the machine, and what
 * came of it told to the journal. In a replay the plan says beforehand what is to come of it.
 */
public final class RankFabric implements Fabric, Caller {
  private final JobRank rank;
  private final Machine machine;
  private final RankCalls calls;
  private final Inputs inputs;
  private final Member world;
  private final Member self;
  private final Sends sends;
  private final Receives receives;
  private final Probes probes;
  private final Completions completions;
  private final Communicators communicators;
  private final List<String> warnings = new ArrayList<>(0);
  private @Nullable Throwable finishedIn;

  public RankFabric(JobRank rank, Journal journal, @Nullable Plan plan, Inputs inputs) {
    this.rank = rank;
    this.machine = rank.machine;
    this.inputs = inputs;
    this.world = new Member(machine.world, false, rank.number);
    this.self =
        new Member(
            new CommContext(Identity.self(rank.number), new int[] {rank.number}, null), false, 0);
    this.calls = new RankCalls(rank, journal, plan);
    this.sends = new Sends(calls);
    this.receives = new Receives(calls, sends);
    this.probes = new Probes(calls);
    this.completions = new Completions(calls);
    this.communicators = new Communicators(rank);
  }

  @Override
  public Journal journal() {
    return calls.journal;
  }

  public boolean isFinished() {
    return calls.isFinished();
  }

  /** What follows is done by this thread of the rank. */
  @Override
  public void goOnIn(int thread) {
    calls.journal.goOnIn(thread);
    if (calls.plan != null) {
      calls.plan.goOnIn(thread);
    }
  }

  /** Calls made so far. */
  @Override
  public long calls() {
    return calls.calls();
  }

  @Override
  public Inputs inputs() {
    return inputs;
  }

  /** Whether a replay still does what was recorded; what comes after is no part of the run. */
  public boolean follows() {
    return calls.plan == null || calls.plan.isInForce();
  }

  /** What the recording says became of a non-blocking receive. */
  Plan.Fate recordedFate(PendingReceive receive) {
    return calls.plan == null
        ? Plan.Fate.UNKNOWN
        : calls.plan.post(MpiCall.FINALIZE, receive.post, false);
  }

  /** What the last blocking receive took that failed nevertheless. */
  @Nullable Received takenInVain() {
    return receives.takenInVain();
  }

  public void closeInputs() {
    if (inputs instanceof RecordedInputs recorded) {
      recorded.close();
    }
  }

  /** Open receives that have a message by now get their outcome. */
  public void resolveOpen() {
    calls.open.resolve();
  }

  @Override
  public boolean anyThread() {
    return machine.threadsMayCall();
  }

  @Override
  public Communicator world() {
    return world;
  }

  @Override
  public Communicator self() {
    return self;
  }

  @Override
  public void init() {
    calls.enter(MpiCall.INIT);
    calls.returned();
  }

  @Override
  public Leftovers finish() {
    calls.enter(MpiCall.FINALIZE);
    if (calls.plan != null) {
      calls.plan.finish();
    }
    calls.finish();
    calls.returned();
    if (machine.namesLines) {
      // Its frames are looked at only if there is something to tell.
      finishedIn = new Throwable();
    }
    return new Leftovers(0, calls.pending);
  }

  /**
   * Kept until the job has ended: a warning belongs to an execution, whatever prints it, and of
   * messages nobody received it is known only then.
   */
  @Override
  public void warn(String text) {
    warnings.add(text);
  }

  public List<String> warnings() {
    return warnings;
  }

  /** Of a rank that has finished, after the job: messages that came before or after that. */
  public Optional<String> messagesLeft() {
    int messages;
    synchronized (rank.mailbox) {
      messages = rank.mailbox.messages();
    }
    if (!calls.isFinished() || messages == 0) {
      return Optional.empty();
    }
    Throwable there = finishedIn;
    Optional<String> known =
        there == null ? Optional.empty() : SourceLine.in(there.getStackTrace());
    String line = known.map(found -> ", " + found).orElse("");
    return Optional.of(
        "rank "
            + rank.number
            + line
            + ": Finalize: messages were sent to this rank and never received: "
            + messages);
  }

  @Override
  public RankEnded abort(int code) {
    calls.enter(MpiCall.ABORT);
    if (machine.endsAtRest) {
      machine.stop(rank, new Machine.Ending(null, code, true));
    }
    resolveOpen();
    calls.journal.ended(Wire.State.ABORTED, code);
    machine.end(new Machine.Ending(null, code, true));
    throw new RankEnded(RankEnded.Why.ABORTS, code);
  }

  @Override
  public double wtime() {
    if (!calls.isFinished()) {
      calls.enter(MpiCall.WTIME);
      calls.returned();
    }
    return inputs.nanoTime() / 1e9;
  }

  @Override
  public String processorName() {
    return LiveRecorder.hostName();
  }

  // Point to point

  @Override
  public void send(Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    sends.send(comm, dest, tag, payload, mode);
  }

  @Override
  public Operation startSend(Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    return sends.start(comm, dest, tag, payload, mode);
  }

  @Override
  public Received receive(Communicator comm, int source, int tag, @Nullable Payload room) {
    return receives.receive(comm, source, tag, room);
  }

  @Override
  public Operation startReceive(Communicator comm, int source, int tag, @Nullable Payload room) {
    return receives.start(comm, source, tag, room);
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
    return receives.sendReceive(comm, dest, sendTag, payload, source, receiveTag, room);
  }

  @Override
  public Received probe(Communicator comm, int source, int tag) {
    return probes.probe(comm, source, tag);
  }

  @Override
  public Optional<Received> iprobe(Communicator comm, int source, int tag) {
    return probes.iprobe(comm, source, tag);
  }

  // Completion

  @Override
  public int @Nullable [] complete(@Nullable Operation[] operations, CompletionMode mode) {
    return completions.complete(operations, mode);
  }

  @Override
  public void cancel(Operation operation) {
    completions.cancel(operation);
  }

  @Override
  public void release(Operation operation) {
    completions.release(operation);
  }

  // Collective calls

  @Override
  public void collective(Communicator comm, CollectiveCall call) {
    Member member = calls.enterIntra(call.kind().call(), comm);
    if (machine.observer != null) {
      machine.observer.entered(rank, comm, call);
    }
    new Collective(rank, member, call).run();
    if (machine.observer != null) {
      machine.observer.left(rank, comm, call);
    }
    calls.returned();
  }

  @Override
  public Operation startCollective(Communicator comm, CollectiveCall call) {
    Member member = calls.enterIntra(call.kind().startingCall(), comm);
    if (machine.observer != null) {
      machine.observer.entered(rank, comm, call);
    }
    PendingCollective started = new Collective(rank, member, call).start(calls.journal.nextPost());
    calls.pending++;
    calls.returned();
    return started;
  }

  @Override
  public Communicator dup(Communicator comm) {
    Member member = calls.enterIntra(MpiCall.COMM_DUP, comm);
    Communicator made = communicators.dup(member);
    calls.returned();
    return made;
  }

  @Override
  public @Nullable Communicator split(Communicator comm, int color, int key) {
    Member member = calls.enterIntra(MpiCall.COMM_SPLIT, comm);
    Communicator made = communicators.split(member, color, key);
    calls.returned();
    return made;
  }

  @Override
  public @Nullable Communicator create(Communicator comm, int[] ranks, MpiCall how) {
    Member member = calls.enterIntra(how, comm);
    Communicator made = communicators.create(member, ranks, how);
    calls.returned();
    return made;
  }

  @Override
  public Communicator createInter(
      Communicator local, int leader, @Nullable Communicator peer, int remoteLeader, int tag) {
    Member member = calls.enterIntra(MpiCall.INTERCOMM_CREATE, local);
    Communicator made = communicators.createInter(member, leader, (Member) peer, remoteLeader, tag);
    calls.returned();
    return made;
  }

  @Override
  public Communicator merge(Communicator inter, boolean high) {
    Member member = calls.enter(MpiCall.INTERCOMM_MERGE, inter);
    if (!member.isInter()) {
      throw new FabricError(FabricError.Kind.COMM, "only an intercommunicator can be merged");
    }
    Communicator made = communicators.merge(member, high);
    calls.returned();
    return made;
  }

  @Override
  public void free(Communicator comm) {
    Member member = calls.enter(MpiCall.COMM_FREE, comm);
    member.freed = true;
    calls.returned();
  }
}
