package org.reprise.ranks.fabric;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one rank can ask of the machine under it, at the level of MPI's own meaning: contiguous
 * payloads, ranks and tags of a communicator, matching in the order of posting, messages of one
 * sender that do not overtake. Datatypes, persistent requests, topologies, groups and the like are
 * built above it, the same for every fabric.
 *
 * <p>Every rank has a fabric of its own, found by {@link CurrentRank#fabric()}. A call that cannot
 * be made throws a {@link FabricError}. When the job ends under a rank (another one aborted, or
 * nothing can move any more), its calls throw {@link RankEnded}, which a program must let pass.
 */
public interface Fabric {
  int ANY_SOURCE = -2;
  int PROC_NULL = -1;
  int ANY_TAG = -1;
  int UNDEFINED = -1;
  int TAG_MAX = Integer.MAX_VALUE;

  /** All ranks of the job. */
  Communicator world();

  /** The calling rank alone. */
  Communicator self();

  /** Notes that the program has begun: MPI_Init. Calls before it are counted, not refused. */
  void init();

  /**
   * Ends the calling rank's part: nothing may be called afterwards but {@link #wtime}.
   *
   * @return what the program left undone
   */
  Leftovers finish();

  /** What a rank had not completed when it finished, as far as it was known then. */
  record Leftovers(int messagesNotReceived, int operationsPending) {}

  /** Ends all ranks of the job; does not return. */
  RankEnded abort(int code);

  /** Whether any thread of the rank may call, or only the one that it began in. */
  boolean anyThread();

  /**
   * The program is about to take a lock of its own. Where the order of a rank's threads is kept,
   * locks are part of it: a thread that were held back in one would keep the others from theirs.
   */
  default void beforeLock() {}

  /** The program has taken a lock of its own. */
  default void afterLock() {}

  /** Tells the user of something that is most likely wrong with the program; it goes on. */
  default void warn(String text) {
    System.err.println("reprise: " + text);
  }

  /** Seconds since some moment in the past: an input, recorded and given back. */
  double wtime();

  /** The name of the machine. */
  String processorName();

  // Point to point

  /** Sends; returns when the program may change the payload. */
  void send(Communicator comm, int dest, int tag, Payload payload, SendMode mode);

  /** Starts a send; the payload may not change until it is completed. */
  Operation startSend(Communicator comm, int dest, int tag, Payload payload, SendMode mode);

  /**
   * Receives one message.
   *
   * @param room where its elements go; null: the fabric hands them over in {@link Received#payload}
   * @throws FabricError if the message is longer than the room or of another type; it is received
   *     all the same
   */
  Received receive(Communicator comm, int source, int tag, @Nullable Payload room);

  /** Posts a receive. */
  Operation startReceive(Communicator comm, int source, int tag, @Nullable Payload room);

  /** MPI_Sendrecv: starts both, returns when both are complete. */
  Received sendReceive(
      Communicator comm,
      int dest,
      int sendTag,
      Payload payload,
      int source,
      int receiveTag,
      @Nullable Payload room);

  /** Waits for a message without receiving it. */
  Received probe(Communicator comm, int source, int tag);

  /** Looks for a message without receiving it. */
  Optional<Received> iprobe(Communicator comm, int source, int tag);

  // Completion

  /**
   * Completes operations: one primitive for Wait, Test, and their families. Entries may be null:
   * requests that are not active.
   *
   * @return indices of the operations that this call completed, in the order it reports them. Null
   *     if a poll found nothing to report; {@link #NONE_ACTIVE} where all entries are null (which
   *     Waitany and its like report as MPI_UNDEFINED). Waitall and Testall report every active one.
   * @throws FabricError of the first operation that failed; the others are completed all the same
   */
  int @Nullable [] complete(@Nullable Operation[] operations, CompletionMode mode);

  /** What {@link #complete} returns if there is nothing it could ever complete. */
  int[] NONE_ACTIVE = {};

  /** Asks for an operation to be cancelled; it must be completed afterwards all the same. */
  void cancel(Operation operation);

  /** Lets go of an operation that nobody will complete: MPI_Request_free. */
  void release(Operation operation);

  // Communicators

  /** Collective over {@code comm}: the same members under a new identity. */
  Communicator dup(Communicator comm);

  /**
   * Collective over {@code comm}: those of one colour, ordered by key.
   *
   * @param color {@link #UNDEFINED}: none for me
   * @return null if none for me
   */
  @Nullable Communicator split(Communicator comm, int color, int key);

  /**
   * Collective over {@code comm}: its members listed in {@code ranks}, in that order.
   *
   * @param ranks ranks in {@code comm}, the same list on every member
   * @param how what it is for: MPI_Comm_create, MPI_Cart_create, MPI_Graph_create
   * @return null if the calling rank is not listed
   */
  @Nullable Communicator create(Communicator comm, int[] ranks, MpiCall how);

  /**
   * Collective over both groups.
   *
   * @param leader rank in {@code local} that knows the other side
   * @param peer communicator in which the leaders reach each other; only the leader's counts
   * @param remoteLeader rank of the other side's leader in {@code peer}
   */
  Communicator createInter(
      Communicator local, int leader, @Nullable Communicator peer, int remoteLeader, int tag);

  /** Collective over both groups: one communicator of all, those who say {@code high} last. */
  Communicator merge(Communicator inter, boolean high);

  /** Gives a communicator back. */
  void free(Communicator comm);

  /** Takes part in a collective operation; members' calls match in their order on {@code comm}. */
  void collective(Communicator comm, CollectiveCall call);

  /**
   * Starts a collective operation; the payloads may not change, and are not filled, until it is
   * completed. It matches the members' own starts of the same operation, in their order on {@code
   * comm}.
   */
  Operation startCollective(Communicator comm, CollectiveCall call);
}
