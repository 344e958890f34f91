package org.reprise.ranks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.LiveRecorder;
import org.reprise.trace.Wire;

/**
 * The fabric of one rank of an embedded job: checks the call, hands it to the machine, and tells
 * the journal what came of it. In a replay the plan says beforehand what is to come of it.
 */
final class RankFabric implements Fabric {
  private final Rank rank;
  private final Machine machine;
  private final Journal journal;
  private final @Nullable Plan plan;
  private final Inputs inputs;
  private final Member world;
  private final Member self;
  private final Communicators communicators;

  /** Non-blocking receives that left something open and were not reported yet. */
  private final List<PendingReceive> open = new ArrayList<>();

  private @Nullable Received takenInVain;
  private int pending;
  private long calls;
  private boolean finished;

  RankFabric(Rank rank, Journal journal, @Nullable Plan plan, Inputs inputs) {
    this.rank = rank;
    this.machine = rank.machine;
    this.journal = journal;
    this.plan = plan;
    this.inputs = inputs;
    this.world = new Member(machine.world, false, rank.number);
    this.self =
        new Member(
            new Context(Identity.self(rank.number), new int[] {rank.number}, null), false, 0);
    this.communicators = new Communicators(rank);
  }

  Journal journal() {
    return journal;
  }

  boolean isFinished() {
    return finished;
  }

  /** Calls made so far. */
  long calls() {
    return calls;
  }

  Inputs inputs() {
    return inputs;
  }

  /** Whether a replay still does what was recorded; what comes after is no part of the run. */
  boolean follows() {
    return plan == null || plan.isInForce();
  }

  /** What the recording says became of a non-blocking receive. */
  Plan.Fate recordedFate(PendingReceive receive) {
    return plan == null ? Plan.Fate.UNKNOWN : plan.post(MpiCall.FINALIZE, receive.post, false);
  }

  /** What the last blocking receive took that failed nevertheless. */
  @Nullable Received takenInVain() {
    return takenInVain;
  }

  void closeInputs() {
    if (inputs instanceof RecordedInputs recorded) {
      recorded.close();
    }
  }

  @Override
  public Communicator world() {
    return world;
  }

  @Override
  public Communicator self() {
    return self;
  }

  // Every call begins with enter and ends with returned.

  private void enter(MpiCall call) {
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
    journal.called(call);
    if (machine.observer != null) {
      machine.observer.called(rank, call);
    }
  }

  private Member enter(MpiCall call, Communicator comm) {
    enter(call);
    if (!(comm instanceof Member member)) {
      throw new FabricError(FabricError.Kind.COMM, "the communicator is not of this fabric");
    }
    if (member.freed) {
      throw new FabricError(FabricError.Kind.COMM, call + " on a communicator that was freed");
    }
    return member;
  }

  private Member enterIntra(MpiCall call, Communicator comm) {
    Member member = enter(call, comm);
    if (member.isInter()) {
      throw new FabricError(
          FabricError.Kind.COMM, call + " on an intercommunicator is not supported");
    }
    return member;
  }

  private void await(Wait wait) {
    journal.waits();
    machine.await(rank, wait);
  }

  private Decision decide(Wait wait) {
    journal.waits();
    return machine.decide(rank, wait);
  }

  private boolean isReplaying() {
    return plan != null && plan.isInForce();
  }

  @Override
  public void init() {
    enter(MpiCall.INIT);
    journal.returned();
  }

  @Override
  public Leftovers finish() {
    enter(MpiCall.FINALIZE);
    if (plan != null) {
      plan.finish();
    }
    int messages;
    synchronized (rank.mailbox) {
      messages = rank.mailbox.messages();
    }
    resolveOpen(true);
    finished = true;
    journal.ended(Wire.State.FINALIZED, 0);
    journal.returned();
    return new Leftovers(messages, pending);
  }

  /**
   * Open receives that have a message by now get their outcome; at the end the others get theirs.
   */
  void resolveOpen(boolean finalizing) {
    for (PendingReceive receive : open) {
      // A message may come this very moment: first whether it is done, then what it got.
      boolean done = receive.done;
      Received got = receive.received;
      if (done && got != null && !got.cancelled()) {
        journal.postTook(receive.post, got.source(), got.tag(), receive.askedAnyTag);
      } else if (finalizing) {
        receive.never = !done;
        journal.postEnded(receive.post, done ? Wire.PostEnd.CANCELLED : Wire.PostEnd.NEVER);
      }
    }
    if (finalizing) {
      open.clear();
    } else {
      open.removeIf(receive -> receive.done);
    }
  }

  @Override
  public RankEnded abort(int code) {
    enter(MpiCall.ABORT);
    resolveOpen(false);
    journal.ended(Wire.State.ABORTED, code);
    machine.end(new Machine.Ending(null, code, true));
    throw new RankEnded(RankEnded.Why.ABORTS, code);
  }

  @Override
  public double wtime() {
    if (!finished) {
      enter(MpiCall.WTIME);
      journal.returned();
    }
    return inputs.nanoTime() / 1e9;
  }

  @Override
  public String processorName() {
    return LiveRecorder.hostName();
  }

  // Sends

  @Override
  public void send(Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    Member member = enter(blockingCall(mode), comm);
    PendingSend send = begin(member, dest, tag, payload, mode, -1);
    if (!send.done) {
      await(new Wait.ForOperations(blockingCall(mode), send));
    }
    journal.returned();
  }

  @Override
  public Operation startSend(Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    Member member = enter(startingCall(mode), comm);
    PendingSend send = begin(member, dest, tag, payload, mode, journal.nextPost());
    pending++;
    journal.returned();
    return send;
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

  private PendingSend begin(
      Member comm, int dest, int tag, Payload payload, SendMode mode, long post) {
    if (dest != PROC_NULL) {
      checkRank(comm, dest, "destination");
    }
    if (tag < 0) {
      throw new FabricError(FabricError.Kind.TAG, "tag " + tag + " of a message is negative");
    }
    int world = dest == PROC_NULL ? PROC_NULL : comm.peers()[dest];
    PendingSend send = new PendingSend(rank, post, world, tag);
    boolean waits =
        mode == SendMode.SYNCHRONOUS || (mode == SendMode.STANDARD && machine.syncSends);
    if (!waits || dest == PROC_NULL) {
      send.complete();
    }
    if (dest != PROC_NULL) {
      Message message =
          new Message(comm, rank, tag, payload, waits ? send : null, rank.messagesSent++);
      machine.send(message, machine.ranks[world]);
    }
    return send;
  }

  private static void checkRank(Member comm, int number, String what) {
    int size = comm.peers().length;
    if (number < 0 || number >= size) {
      throw new FabricError(
          FabricError.Kind.RANK,
          what + " " + number + " is no rank of a communicator of " + size + " ranks");
    }
  }

  // Receives

  @Override
  public Received receive(Communicator comm, int source, int tag, @Nullable Payload room) {
    Member member = enter(MpiCall.RECV, comm);
    if (source == PROC_NULL) {
      journal.returned();
      return Received.NOBODY;
    }
    PendingReceive receive = blockingReceive(MpiCall.RECV, member, source, tag, room);
    if (!receive.done) {
      await(new Wait.ForOperations(MpiCall.RECV, receive));
    }
    return received(receive);
  }

  private PendingReceive blockingReceive(
      MpiCall call, Member comm, int source, int tag, @Nullable Payload room) {
    checkPattern(comm, source, tag);
    boolean anySource = source == ANY_SOURCE;
    boolean anyTag = tag == ANY_TAG;
    int fromSource = source;
    int withTag = tag;
    if ((anySource || anyTag) && isReplaying()) {
      Plan.Choice choice = plan().choice(call, Plan.RECEIVES, source, tag);
      if (choice != null) {
        fromSource = choice.source();
        withTag = choice.tagOr(tag);
        plan().checkSource(call, choice, fromSource, comm.peers().length);
      }
    }
    PendingReceive receive =
        new PendingReceive(rank, -1, comm, fromSource, withTag, room, anySource, anyTag);
    machine.post(receive);
    return receive;
  }

  private Plan plan() {
    if (plan == null) {
      throw new IllegalStateException("no replay");
    }
    return plan;
  }

  private Received received(PendingReceive receive) {
    Received got = receive.received();
    receive.reported = true;
    if (receive.isOpen()) {
      journal.chose(Wire.Kind.RECV, got.source(), got.tag(), receive.askedAnyTag);
    }
    took(receive, got);
    if (machine.observer != null) {
      machine.observer.completed(rank, receive);
    }
    journal.returned();
    if (receive.failure != null) {
      takenInVain = got;
      throw receive.failure;
    }
    return got;
  }

  /** Receives that were posted before may have got a message as well; a killed rank cannot tell. */
  private void took(PendingReceive receive, Received got) {
    if (!open.isEmpty()) {
      resolveOpen(false);
    }
    journal.received(got, receive.comm.id());
  }

  private static void checkPattern(Member comm, int source, int tag) {
    if (source != ANY_SOURCE) {
      checkRank(comm, source, "source");
    }
    if (tag < 0 && tag != ANY_TAG) {
      throw new FabricError(FabricError.Kind.TAG, "tag " + tag + " of a receive is negative");
    }
  }

  @Override
  public Operation startReceive(Communicator comm, int source, int tag, @Nullable Payload room) {
    Member member = enter(MpiCall.IRECV, comm);
    long post = journal.nextPost();
    pending++;
    if (source == PROC_NULL) {
      PendingReceive nobody =
          new PendingReceive(rank, post, member, source, tag, room, false, false);
      nobody.received = Received.NOBODY;
      nobody.done = true;
      journal.returned();
      return nobody;
    }
    checkPattern(member, source, tag);
    boolean anySource = source == ANY_SOURCE;
    boolean anyTag = tag == ANY_TAG;
    int fromSource = source;
    int withTag = tag;
    boolean matches = true;
    if (isReplaying()) {
      Plan.Fate fate = plan().post(MpiCall.IRECV, post, anySource || anyTag);
      matches = fate.matches();
      if (fate.isForced()) {
        fromSource = fate.source();
        withTag = fate.tagOr(tag);
        plan().checkSource(MpiCall.IRECV, null, fromSource, member.peers().length);
      }
    }
    PendingReceive receive =
        new PendingReceive(rank, post, member, fromSource, withTag, room, anySource, anyTag);
    if (matches) {
      machine.post(receive);
    }
    if (receive.isOpen()) {
      open.add(receive);
    }
    journal.returned();
    return receive;
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
    Member member = enter(MpiCall.SENDRECV, comm);
    PendingReceive receive =
        source == PROC_NULL
            ? null
            : blockingReceive(MpiCall.SENDRECV, member, source, receiveTag, room);
    PendingSend send = begin(member, dest, sendTag, payload, SendMode.STANDARD, -1);
    Wait.ForOperations wait =
        new Wait.ForOperations(
            MpiCall.SENDRECV, new Pending[] {receive, send}, CompletionMode.WAIT_ALL);
    if (!wait.isOver()) {
      await(wait);
    }
    if (receive == null) {
      journal.returned();
      return Received.NOBODY;
    }
    return received(receive);
  }

  // Probes

  @Override
  public Received probe(Communicator comm, int source, int tag) {
    Member member = enter(MpiCall.PROBE, comm);
    if (source == PROC_NULL) {
      journal.returned();
      return Received.NOBODY;
    }
    checkPattern(member, source, tag);
    int fromSource = source;
    int withTag = tag;
    if ((source == ANY_SOURCE || tag == ANY_TAG) && isReplaying()) {
      Plan.Choice choice = plan().choice(MpiCall.PROBE, Plan.PROBES, source, tag);
      if (choice != null) {
        fromSource = choice.source();
        withTag = choice.tagOr(tag);
        plan().checkSource(MpiCall.PROBE, choice, fromSource, member.peers().length);
      }
    }
    Message message = awaitMessage(MpiCall.PROBE, member, fromSource, withTag);
    Received seen = seen(message);
    if (source == ANY_SOURCE || tag == ANY_TAG) {
      journal.chose(Wire.Kind.PROBE, seen.source(), seen.tag(), tag == ANY_TAG);
    }
    return probed(message, seen, source, tag);
  }

  private Message awaitMessage(MpiCall call, Member comm, int source, int tag) {
    Wait.ForMessage wait = new Wait.ForMessage(call, rank, comm, source, tag);
    if (!machine.matchesAtOnce()) {
      Message chosen = decide(wait).seen();
      if (chosen != null) {
        return chosen;
      }
    }
    // A receive of another thread may take it between the two looks.
    Message message = wait.find();
    while (message == null) {
      await(wait);
      message = wait.find();
    }
    return message;
  }

  private static Received seen(Message message) {
    return new Received(
        message.source, message.tag, message.payload.type(), message.payload.count(), false, null);
  }

  private Received probed(Message message, Received seen, int source, int tag) {
    journal.probed(seen);
    if (machine.observer != null) {
      machine.observer.probed(rank, message, source, tag);
    }
    journal.returned();
    return seen;
  }

  @Override
  public Optional<Received> iprobe(Communicator comm, int source, int tag) {
    Member member = enter(MpiCall.IPROBE, comm);
    if (source == PROC_NULL) {
      journal.returned();
      return Optional.of(Received.NOBODY);
    }
    checkPattern(member, source, tag);
    boolean choosy = source == ANY_SOURCE || tag == ANY_TAG;
    Message message;
    Plan.@Nullable Choice planned =
        isReplaying()
            ? plan()
                .poll(MpiCall.IPROBE, choosy ? Plan.FINDS : Plan.HITS, Wire.Poll.IPROBE.ordinal())
            : Plan.FREE;
    if (planned == Plan.FREE) {
      message = lookFor(member, source, tag);
    } else if (planned == null) {
      message = null;
    } else {
      int fromSource = choosy ? planned.source() : source;
      int withTag = choosy ? planned.tagOr(tag) : tag;
      plan().checkSource(MpiCall.IPROBE, planned, fromSource, member.peers().length);
      message = awaitMessage(MpiCall.IPROBE, member, fromSource, withTag);
    }
    if (message == null) {
      failed();
      return Optional.empty();
    }
    Received seen = seen(message);
    if (choosy) {
      journal.chose(Wire.Kind.FOUND, seen.source(), seen.tag(), tag == ANY_TAG);
    } else {
      journal.pollHit(Wire.Poll.IPROBE);
    }
    return Optional.of(probed(message, seen, source, tag));
  }

  private @Nullable Message lookFor(Member comm, int source, int tag) {
    Wait.ForMessage wait = new Wait.ForMessage(MpiCall.IPROBE, rank, comm, source, tag);
    return machine.matchesAtOnce() ? wait.find() : decide(wait).seen();
  }

  private void failed() {
    journal.pollFailed();
    if (machine.observer != null) {
      machine.observer.pollFailed(rank);
    }
    journal.returned();
    if (machine.matchesAtOnce()) {
      // A rank that only polls must not keep its carrier from the others.
      Thread.yield();
    }
  }

  // Completion

  @Override
  public int @Nullable [] complete(@Nullable Operation[] operations, CompletionMode mode) {
    enter(mode.call());
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
        failed();
        return null;
      }
      tellIndices(mode, indices);
    }
    FabricError failure = null;
    for (int index : indices) {
      FabricError own = report(mode, index, wanted[index]);
      failure = failure == null ? own : failure;
    }
    journal.returned();
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
      if (!(operation instanceof Pending own) || own.owner != rank) {
        throw new FabricError(
            FabricError.Kind.REQUEST,
            "rank " + rank.number + " completes a request that is not its own");
      }
      if (own.reported) {
        throw new FabricError(FabricError.Kind.REQUEST, "the request was completed already");
      }
      wanted[i] = own;
    }
    return wanted;
  }

  private int[] noneActive(CompletionMode mode) {
    boolean replays = isReplaying();
    switch (mode) {
      case WAIT, WAIT_ALL -> {}
      case TEST -> {
        if (replays) {
          plan().poll(mode.call(), Plan.HITS, Wire.Poll.TEST.ordinal());
        }
        journal.pollHit(Wire.Poll.TEST);
      }
      case TEST_ALL -> {
        if (replays) {
          plan().poll(mode.call(), Plan.HITS, Wire.Poll.TESTALL.ordinal());
        }
        journal.pollHit(Wire.Poll.TESTALL);
      }
      case WAIT_ANY, TEST_ANY -> {
        if (replays) {
          plan().take(mode.call(), Plan.INDEX, 0, 0);
        }
        journal.index(UNDEFINED);
      }
      case WAIT_SOME, TEST_SOME -> {
        if (replays) {
          plan().take(mode.call(), Plan.INDICES, 0, 0);
        }
        journal.indices(false, NONE_ACTIVE);
      }
    }
    return NONE_ACTIVE;
  }

  private int[] all(Wait.ForOperations wait) {
    if (!wait.isOver()) {
      await(wait);
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
    if (isReplaying()) {
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
    return machine.matchesAtOnce() ? chosenFreely(wait) : chosenByScheduler(wait);
  }

  private Plan.@Nullable Choice planned(CompletionMode mode, int count) {
    return switch (mode) {
      case TEST -> plan().poll(mode.call(), Plan.HITS, Wire.Poll.TEST.ordinal());
      case TEST_ALL -> plan().poll(mode.call(), Plan.HITS, Wire.Poll.TESTALL.ordinal());
      case TEST_ANY -> plan().poll(mode.call(), Plan.INDEX, 0);
      case TEST_SOME -> plan().poll(mode.call(), Plan.INDICES, 0);
      case WAIT_ANY -> plan().takeOrFree(mode.call(), Plan.INDEX, count, 0);
      case WAIT_SOME -> plan().takeOrFree(mode.call(), Plan.INDICES, count, 0);
      case WAIT, WAIT_ALL -> Plan.FREE;
    };
  }

  /** What the plan names, if these requests are there; else the program has left the record. */
  private int @Nullable [] indices(
      Plan.Choice planned, CompletionMode mode, @Nullable Pending[] operations) {
    int[] indices = planned.isHit() ? activeOf(operations) : planned.indices();
    if (indices.length == 0) {
      // Nothing was active there, and now something is.
      plan().otherRequests(mode.call(), planned, operations.length, UNDEFINED);
      return null;
    }
    for (int index : indices) {
      if (index >= operations.length || operations[index] == null) {
        plan().otherRequests(mode.call(), planned, operations.length, index);
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
    if (!only.isOver()) {
      await(only);
    }
  }

  private int @Nullable [] chosenByScheduler(Wait.ForOperations wait) {
    List<Integer> indices = decide(wait).indices();
    return indices == null ? null : indices.stream().mapToInt(Integer::intValue).toArray();
  }

  private int @Nullable [] chosenFreely(Wait.ForOperations wait) {
    if (!wait.isOver()) {
      if (!wait.mode.waits()) {
        return null;
      }
      await(wait);
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
      case TEST -> journal.pollHit(Wire.Poll.TEST);
      case TEST_ALL -> journal.pollHit(Wire.Poll.TESTALL);
      case WAIT_ANY, TEST_ANY -> journal.index(indices[0]);
      case WAIT_SOME, TEST_SOME -> journal.indices(true, indices);
    }
  }

  private @Nullable FabricError report(
      CompletionMode mode, int index, @Nullable Pending operation) {
    if (operation == null) {
      return null;
    }
    switch (mode) {
      case WAIT_ANY, TEST_ANY -> journal.reported(Wire.Kind.INDEX, index);
      case WAIT_SOME, TEST_SOME -> journal.reported(Wire.Kind.INDICES, index);
      case WAIT, TEST, WAIT_ALL, TEST_ALL -> {}
    }
    operation.reported = true;
    pending--;
    if (operation instanceof PendingReceive receive) {
      completed(receive);
    }
    if (machine.observer != null) {
      machine.observer.completed(rank, operation);
    }
    return operation.failure;
  }

  private void completed(PendingReceive receive) {
    Received got = receive.received();
    boolean wasOpen = receive.isOpen() && open.remove(receive);
    if (got.cancelled()) {
      journal.postEnded(receive.post, Wire.PostEnd.CANCELLED);
    } else if (got != Received.NOBODY) {
      if (wasOpen) {
        journal.postTook(receive.post, got.source(), got.tag(), receive.askedAnyTag);
      }
      took(receive, got);
    }
  }

  @Override
  public void cancel(Operation operation) {
    enter(MpiCall.CANCEL);
    @Nullable Pending[] wanted = wanted(new Operation[] {operation});
    // A send has left when it was started, or somebody may have it already: too late.
    if (wanted[0] instanceof PendingReceive receive && !receive.done) {
      if (isReplaying()) {
        if (!plan().post(MpiCall.CANCEL, receive.post, false).matches()) {
          receive.cancel();
        }
      } else if (machine.matchesAtOnce()) {
        machine.withdraw(receive);
      } else {
        decide(new Wait.ForOperations(MpiCall.CANCEL, wanted, CompletionMode.TEST));
      }
    }
    journal.returned();
  }

  @Override
  public void release(Operation operation) {
    enter(MpiCall.REQUEST_FREE);
    Pending pendingOperation = wanted(new Operation[] {operation})[0];
    if (pendingOperation != null) {
      pendingOperation.reported = true;
      pending--;
    }
    journal.returned();
  }

  // Collective calls

  @Override
  public void collective(Communicator comm, CollectiveCall call) {
    Member member = enterIntra(call.kind().call(), comm);
    if (machine.observer != null) {
      machine.observer.entered(rank, comm, call);
    }
    new Collective(rank, member, call).run();
    if (machine.observer != null) {
      machine.observer.left(rank, comm, call);
    }
    journal.returned();
  }

  @Override
  public Communicator dup(Communicator comm) {
    Member member = enterIntra(MpiCall.COMM_DUP, comm);
    Communicator made = communicators.dup(member);
    journal.returned();
    return made;
  }

  @Override
  public @Nullable Communicator split(Communicator comm, int color, int key) {
    Member member = enterIntra(MpiCall.COMM_SPLIT, comm);
    Communicator made = communicators.split(member, color, key);
    journal.returned();
    return made;
  }

  @Override
  public @Nullable Communicator create(Communicator comm, int[] ranks, MpiCall how) {
    Member member = enterIntra(how, comm);
    Communicator made = communicators.create(member, ranks, how);
    journal.returned();
    return made;
  }

  @Override
  public Communicator createInter(
      Communicator local, int leader, @Nullable Communicator peer, int remoteLeader, int tag) {
    Member member = enterIntra(MpiCall.INTERCOMM_CREATE, local);
    Communicator made = communicators.createInter(member, leader, (Member) peer, remoteLeader, tag);
    journal.returned();
    return made;
  }

  @Override
  public Communicator merge(Communicator inter, boolean high) {
    Member member = enter(MpiCall.INTERCOMM_MERGE, inter);
    if (!member.isInter()) {
      throw new FabricError(FabricError.Kind.COMM, "only an intercommunicator can be merged");
    }
    Communicator made = communicators.merge(member, high);
    journal.returned();
    return made;
  }

  @Override
  public void free(Communicator comm) {
    Member member = enter(MpiCall.COMM_FREE, comm);
    member.freed = true;
    journal.returned();
  }
}
