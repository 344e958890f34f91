package org.reprise.ranks.libmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.RankEnded;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.fabric.SendMode;

/**
 * A rank that is a process of an MPI job. Its calls become the same calls of libmpi, so whatever
 * watches or records MPI programs sees them. libmpi does not tell the type of a message, so one
 * that is received as another type than it was sent as is not found here.
 */
public final class LibMpiFabric implements Fabric {
  private static final int THREAD_FUNNELED = 1;

  private final Thread owner = Thread.currentThread();
  private final Family mpi;
  private final JvmSignals signals;

  /** Null unless somebody writes down where calls come from. */
  private final @Nullable NamedSites sites;

  private final Segments segments = new Segments();
  private final Unattended unattended = new Unattended(segments);
  private final MemorySegment status = Arena.global().allocate(64, 8);
  private final MemorySegment request = Arena.global().allocate(ValueLayout.JAVA_LONG);
  private NativeComm world;
  private @Nullable NativeComm self;
  private @Nullable ObjectMessages objects;
  private @Nullable NativeCollectives collectives;
  private boolean running;
  private int pending;

  private LibMpiFabric(NativeComm announced, JvmSignals signals, @Nullable NamedSites sites) {
    this.world = announced;
    this.signals = signals;
    this.sites = sites;
    this.mpi = Calls.family();
  }

  /** Loads the libmpi of this process's job; the calling thread is the rank's. */
  public static LibMpiFabric open(Map<String, String> environment) {
    JvmSignals signals = JvmSignals.keep();
    Library.load(environment);
    signals.restore();
    int rank = number(environment, "OMPI_COMM_WORLD_RANK", "PMI_RANK", 0);
    int size = number(environment, "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", 1);
    return new LibMpiFabric(
        new NativeComm(rank, size), signals, NamedSites.ofThisProcess(environment));
  }

  private static int number(Map<String, String> environment, String one, String other, int none) {
    String value = environment.getOrDefault(one, environment.get(other));
    return value == null ? none : Integer.parseInt(value);
  }

  /** Whether the rank is between init and finish, so that it must not just leave. */
  public boolean isRunning() {
    return running;
  }

  @Override
  public boolean anyThread() {
    return false;
  }

  @Override
  public Communicator world() {
    return world;
  }

  @Override
  public Communicator self() {
    return started(self);
  }

  @Override
  public void init() {
    enter();
    Calls.call(Calls.INIT_THREAD, MemorySegment.NULL, MemorySegment.NULL, THREAD_FUNNELED, request);
    signals.restore();
    for (long comm : new long[] {mpi.commWorld(), mpi.commSelf()}) {
      Calls.call(Calls.SET_ERRHANDLER, comm, mpi.errorsReturn());
    }
    world = new NativeComm(mpi.commWorld());
    self = new NativeComm(mpi.commSelf());
    Calls.call(Calls.COMM_DUP, mpi.commWorld(), request);
    objects = new ObjectMessages(segments, unattended, mpi.get(request, 0), status);
    collectives = new NativeCollectives(segments);
    running = true;
  }

  @Override
  public Leftovers finish() {
    enter();
    unattended.finish();
    Calls.call(Calls.FINALIZE);
    running = false;
    return new Leftovers(0, pending);
  }

  @Override
  public RankEnded abort(int code) {
    if (running) {
      if (sites != null && Thread.currentThread().equals(owner)) {
        sites.name();
      }
      Unread.awaitReader();
      Calls.call(Calls.ABORT, mpi.commWorld(), code);
    }
    return RankEnded.exit(code);
  }

  @Override
  public double wtime() {
    return Calls.wtime();
  }

  @Override
  public String processorName() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(1024);
      Calls.call(Calls.PROCESSOR_NAME, name, request);
      return name.getString(0);
    }
  }

  // Point to point

  /** Hot: bench/java. */
  @Override
  public void send(Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    enter();
    NativeComm where = (NativeComm) comm;
    if (mode == SendMode.BUFFERED) {
      sendUnattended(where, dest, tag, payload);
      return;
    }
    MethodHandle function =
        switch (mode) {
          case SYNCHRONOUS -> Calls.SSEND;
          case READY -> Calls.RSEND;
          default -> Calls.SEND;
        };
    MemorySegment memory = outgoing(where, dest, payload);
    try {
      Calls.send(
          function, memory, messageCount(payload), type(payload), peer(dest), tag, where.handle);
    } finally {
      segments.give(memory);
    }
  }

  private void sendUnattended(NativeComm comm, int dest, int tag, Payload payload) {
    unattended.send(
        outgoing(comm, dest, payload),
        messageCount(payload),
        type(payload),
        peer(dest),
        tag,
        comm.handle);
  }

  @Override
  public Operation startSend(Communicator comm, int dest, int tag, Payload payload, SendMode mode) {
    enter();
    NativeComm where = (NativeComm) comm;
    pending++;
    if (mode == SendMode.BUFFERED) {
      sendUnattended(where, dest, tag, payload);
      // A request that is complete at once stands for it.
      Calls.transfer(
          Calls.ISEND, status, 0, type(payload), mpi.procNull(), 0, where.handle, request);
      return new NativeOperation(NativeOperation.Kind.SEND, where, mpi.get(request, 0), null, null);
    }
    MethodHandle function =
        switch (mode) {
          case SYNCHRONOUS -> Calls.ISSEND;
          case READY -> Calls.IRSEND;
          default -> Calls.ISEND;
        };
    MemorySegment memory = outgoing(where, dest, payload);
    Calls.transfer(
        function,
        memory,
        messageCount(payload),
        type(payload),
        peer(dest),
        tag,
        where.handle,
        request);
    return new NativeOperation(NativeOperation.Kind.SEND, where, mpi.get(request, 0), memory, null);
  }

  /** The native memory that a message leaves from. */
  private MemorySegment outgoing(NativeComm comm, int dest, Payload payload) {
    return payload.type() == BasicType.OBJECT && dest != Fabric.PROC_NULL
        ? started(objects).announce(comm, dest, payload)
        : segments.filled(payload);
  }

  private static int messageCount(Payload payload) {
    return payload.type() == BasicType.OBJECT
        ? ObjectMessages.announcedBytes(payload)
        : payload.count();
  }

  private long type(Payload payload) {
    return mpi.datatype(payload.type());
  }

  /** Hot: bench/java. */
  @Override
  public Received receive(Communicator comm, int source, int tag, @Nullable Payload room) {
    enter();
    NativeComm where = (NativeComm) comm;
    MemorySegment memory = segments.take(roomBytes(room));
    try {
      Calls.transfer(
          Calls.RECV,
          memory,
          roomCount(room),
          roomType(room),
          peer(source),
          pattern(tag),
          where.handle,
          status);
      return received(where, memory, room, status, 0);
    } finally {
      segments.give(memory);
    }
  }

  @Override
  public Operation startReceive(Communicator comm, int source, int tag, @Nullable Payload room) {
    enter();
    NativeComm where = (NativeComm) comm;
    pending++;
    MemorySegment memory = segments.take(roomBytes(room));
    Calls.transfer(
        Calls.IRECV,
        memory,
        roomCount(room),
        roomType(room),
        peer(source),
        pattern(tag),
        where.handle,
        request);
    return new NativeOperation(
        room == null ? NativeOperation.Kind.RECEIVE_OBJECTS : NativeOperation.Kind.RECEIVE,
        where,
        mpi.get(request, 0),
        memory,
        room);
  }

  private static long roomBytes(@Nullable Payload room) {
    return room == null ? ObjectMessages.ROOM : room.bytes();
  }

  private static int roomCount(@Nullable Payload room) {
    return room == null ? ObjectMessages.ROOM : room.count();
  }

  private long roomType(@Nullable Payload room) {
    return mpi.datatype(room == null ? BasicType.OBJECT : room.type());
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
    enter();
    NativeComm where = (NativeComm) comm;
    MemorySegment out = outgoing(where, dest, payload);
    MemorySegment in = segments.take(roomBytes(room));
    try {
      Calls.call(
          Calls.SENDRECV,
          out,
          messageCount(payload),
          type(payload),
          peer(dest),
          sendTag,
          in,
          roomCount(room),
          roomType(room),
          peer(source),
          pattern(receiveTag),
          where.handle,
          status);
      return received(where, in, room, status, 0);
    } finally {
      segments.give(out);
      segments.give(in);
    }
  }

  @Override
  public Received probe(Communicator comm, int source, int tag) {
    enter();
    Calls.call(Calls.PROBE, peer(source), pattern(tag), ((NativeComm) comm).handle, status);
    return found();
  }

  @Override
  public Optional<Received> iprobe(Communicator comm, int source, int tag) {
    enter();
    Calls.call(
        Calls.IPROBE, peer(source), pattern(tag), ((NativeComm) comm).handle, request, status);
    return request.get(ValueLayout.JAVA_INT, 0) == 0 ? Optional.empty() : Optional.of(found());
  }

  /** What a probe found: libmpi knows its bytes only. */
  private Received found() {
    int source = mpi.source(status, 0);
    return source == mpi.procNull()
        ? Received.NOBODY
        : new Received(
            source, mpi.tag(status, 0), BasicType.BYTE, (int) mpi.count(status, 0), false, null);
  }

  /** Takes a message out of native memory. */
  private Received received(
      NativeComm comm, MemorySegment memory, @Nullable Payload room, MemorySegment from, long at) {
    int source = mpi.source(from, at);
    if (source == mpi.procNull()) {
      return Received.NOBODY;
    }
    int tag = mpi.tag(from, at);
    if (room == null) {
      Payload payload = started(objects).take(comm, source, memory);
      return new Received(source, tag, BasicType.OBJECT, payload.count(), false, payload);
    }
    int count = (int) (mpi.count(from, at) / room.type().bytes());
    Segments.copy(memory, 0, room.slice(0, count));
    return new Received(source, tag, room.type(), count, false, null);
  }

  // Completion

  @Override
  public int @Nullable [] complete(@Nullable Operation[] operations, CompletionMode mode) {
    enter();
    return new Completion(this, operations).run(mode);
  }

  /** Hands over what a completed operation came to. */
  void finish(NativeOperation operation, MemorySegment statuses, long at) {
    pending--;
    Received outcome;
    if (mpi.cancelled(statuses, at)) {
      outcome = Received.CANCELLED;
    } else if (operation.kind == NativeOperation.Kind.SEND || operation.memory == null) {
      outcome = Received.NOTHING;
    } else {
      outcome = received(operation.comm, operation.memory, operation.room, statuses, at);
    }
    operation.finish(outcome);
    if (operation.memory != null) {
      segments.give(operation.memory);
    }
  }

  @Override
  public void cancel(Operation operation) {
    enter();
    mpi.set(request, 0, ((NativeOperation) operation).request);
    Calls.call(Calls.CANCEL, request);
  }

  /** Nobody asks for it any more; libmpi still does it, and its memory stays its own. */
  @Override
  public void release(Operation operation) {
    enter();
    pending--;
  }

  // Communicators

  @Override
  public Communicator dup(Communicator comm) {
    enter();
    Calls.call(Calls.COMM_DUP, ((NativeComm) comm).handle, request);
    return new NativeComm(mpi.get(request, 0));
  }

  @Override
  public @Nullable Communicator split(Communicator comm, int color, int key) {
    enter();
    int group = color == Fabric.UNDEFINED ? mpi.undefined() : color;
    Calls.call(Calls.COMM_SPLIT, ((NativeComm) comm).handle, group, key, request);
    return unlessNull(mpi.get(request, 0));
  }

  @Override
  public @Nullable Communicator create(Communicator comm, int[] ranks, MpiCall how) {
    enter();
    long parent = ((NativeComm) comm).handle;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment some = arena.allocate(ValueLayout.JAVA_LONG);
      Calls.call(Calls.COMM_GROUP, parent, all);
      Calls.call(
          Calls.GROUP_INCL,
          mpi.get(all, 0),
          ranks.length,
          arena.allocateFrom(ValueLayout.JAVA_INT, ranks),
          some);
      Calls.call(Calls.COMM_CREATE, parent, mpi.get(some, 0), request);
      Calls.call(Calls.GROUP_FREE, all);
      Calls.call(Calls.GROUP_FREE, some);
    }
    return unlessNull(mpi.get(request, 0));
  }

  private @Nullable Communicator unlessNull(long handle) {
    return handle == mpi.commNull() ? null : new NativeComm(handle);
  }

  @Override
  public Communicator createInter(
      Communicator local, int leader, @Nullable Communicator peer, int remoteLeader, int tag) {
    enter();
    NativeComm bridge = peer == null ? world : (NativeComm) peer;
    Calls.call(
        Calls.INTERCOMM_CREATE,
        ((NativeComm) local).handle,
        leader,
        bridge.handle,
        remoteLeader,
        tag,
        request);
    return new NativeComm(mpi.get(request, 0));
  }

  @Override
  public Communicator merge(Communicator inter, boolean high) {
    enter();
    Calls.call(Calls.INTERCOMM_MERGE, ((NativeComm) inter).handle, high ? 1 : 0, request);
    return new NativeComm(mpi.get(request, 0));
  }

  @Override
  public void free(Communicator comm) {
    enter();
    mpi.set(request, 0, ((NativeComm) comm).handle);
    Calls.call(Calls.COMM_FREE, request);
  }

  @Override
  public void collective(Communicator comm, CollectiveCall call) {
    enter();
    started(collectives).run((NativeComm) comm, call);
  }

  @Override
  public Operation startCollective(Communicator comm, CollectiveCall call) {
    enter();
    NativeComm where = (NativeComm) comm;
    Runnable ending = started(collectives).begin(where, call, request);
    pending++;
    return NativeOperation.collective(where, mpi.get(request, 0), ending);
  }

  // What Reprise numbers otherwise than libmpi

  private int peer(int rank) {
    return rank >= 0 ? rank : rank == Fabric.ANY_SOURCE ? mpi.anySource() : mpi.procNull();
  }

  private int pattern(int tag) {
    return tag == Fabric.ANY_TAG ? mpi.anyTag() : tag;
  }

  private static <T> T started(@Nullable T part) {
    if (part == null) {
      throw new FabricError(FabricError.Kind.OTHER, "MPI.Init was not called");
    }
    return part;
  }

  /** A call begins. libmpi was told that one thread calls it, and keeps no locks. */
  @SuppressWarnings("ReferenceEquality")
  private void enter() {
    if (Thread.currentThread() != owner) {
      throw new FabricError(
          FabricError.Kind.THREAD,
          "on an MPI library only the rank's own thread may call; this is "
              + Thread.currentThread().getName());
    }
    if (sites != null) {
      sites.name();
    }
  }
}
