package org.reprise.ranks.fabric;

import org.jspecify.annotations.Nullable;

/**
 * One rank's part in a collective operation. Buffers are contiguous; where ranks send or receive
 * different amounts, counts and displacements (in elements, from the beginning of the payload) say
 * what belongs to whom. Without counts the payload is cut into {@code size} equal parts in rank
 * order.
 *
 * @param kind which operation; all members must call the same one
 * @param root of Bcast, Gather, Scatter, Reduce; 0 otherwise
 * @param send what this rank contributes; of Bcast the root's data
 * @param sendParts of Scatter at the root and Alltoall: the part for each rank; null: equal parts
 * @param receive where the result goes; {@link Payload#EMPTY} if this rank gets none. It may be the
 *     same memory as {@code send} (MPI_IN_PLACE)
 * @param receiveParts of Gather at the root, Allgather, Alltoall: the part of each rank;
 *     Reduce_scatter: the counts of all ranks; null: equal parts
 * @param reduction of Reduce, Allreduce, Reduce_scatter, Scan, Exscan
 */
public record CollectiveCall(
    Kind kind,
    int root,
    Payload send,
    @Nullable Parts sendParts,
    Payload receive,
    @Nullable Parts receiveParts,
    @Nullable Reduction reduction) {
  /** Counts and displacements by rank. */
  @SuppressWarnings("ArrayRecordComponent") // Handed over, never compared.
  public record Parts(int[] counts, int[] displacements) {}

  /** The collective operations, with whose entry an exit waits for. */
  public enum Kind {
    /** All wait for all. */
    BARRIER(MpiCall.BARRIER, MpiCall.IBARRIER),
    /** All wait for the root, the root for nobody. */
    BCAST(MpiCall.BCAST, MpiCall.IBCAST),
    /** The root waits for all, the others for nobody. */
    GATHER(MpiCall.GATHER, MpiCall.IGATHER),
    /** All wait for the root. */
    SCATTER(MpiCall.SCATTER, MpiCall.ISCATTER),
    ALLGATHER(MpiCall.ALLGATHER, MpiCall.IALLGATHER),
    ALLTOALL(MpiCall.ALLTOALL, MpiCall.IALLTOALL),
    /** The root waits for all. */
    REDUCE(MpiCall.REDUCE, MpiCall.IREDUCE),
    ALLREDUCE(MpiCall.ALLREDUCE, MpiCall.IALLREDUCE),
    REDUCE_SCATTER(MpiCall.REDUCE_SCATTER, MpiCall.IREDUCE_SCATTER),
    /** Each waits for the ranks below it. */
    SCAN(MpiCall.SCAN, MpiCall.ISCAN),
    EXSCAN(MpiCall.EXSCAN, MpiCall.IEXSCAN);

    private final MpiCall call;
    private final MpiCall startingCall;

    Kind(MpiCall call, MpiCall startingCall) {
      this.call = call;
      this.startingCall = startingCall;
    }

    public MpiCall call() {
      return call;
    }

    /** The call that starts it without waiting. */
    public MpiCall startingCall() {
      return startingCall;
    }
  }

  public static CollectiveCall barrier() {
    return new CollectiveCall(Kind.BARRIER, 0, Payload.EMPTY, null, Payload.EMPTY, null, null);
  }

  /** The root sends from {@code data}, all others receive into it. */
  public static CollectiveCall bcast(int root, Payload data) {
    return new CollectiveCall(Kind.BCAST, root, data, null, data, null, null);
  }

  public static CollectiveCall reduce(int root, Payload send, Payload receive, Reduction by) {
    return new CollectiveCall(Kind.REDUCE, root, send, null, receive, null, by);
  }

  public static CollectiveCall allreduce(Payload send, Payload receive, Reduction by) {
    return new CollectiveCall(Kind.ALLREDUCE, 0, send, null, receive, null, by);
  }
}
