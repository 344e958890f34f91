package org.reprise.ranks.calls;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.Payload;
import org.reprise.trace.events.CollectiveFlow;

/**
 * From whom a rank gets data in a collective call, as events have it: counts of zero do not count.
 *
 * @param root of a call that has one, else -1
 * @param peers ranks of the communicator that it gets data from, if the flow is LISTED
 * @param bytes that this rank puts in
 */
@SuppressWarnings("ArrayRecordComponent") // Handed over, never compared.
record DataFlow(CollectiveFlow flow, int root, int[] peers, long bytes) {
  private static final int[] NOBODY = {};

  static DataFlow of(Communicator comm, CollectiveCall call) {
    boolean isRoot = comm.rank() == call.root();
    return switch (call.kind()) {
      case BARRIER -> of(CollectiveFlow.ALL, -1, true, 0);
      case BCAST ->
          of(
              CollectiveFlow.FROM_ROOT,
              call.root(),
              call.send().count() > 0,
              isRoot ? call.send().bytes() : 0);
      case SCATTER ->
          of(
              CollectiveFlow.FROM_ROOT,
              call.root(),
              isRoot || call.receive().count() > 0,
              isRoot ? sum(call.send(), call.sendParts()) : 0);
      case GATHER ->
          isRoot
              ? byParts(comm, call, CollectiveFlow.TO_ROOT, call.root(), call.send().bytes())
              : of(CollectiveFlow.TO_ROOT, call.root(), true, call.send().bytes());
      case ALLGATHER -> byParts(comm, call, CollectiveFlow.ALL, -1, call.send().bytes());
      case ALLTOALL ->
          byParts(comm, call, CollectiveFlow.ALL, -1, sum(call.send(), call.sendParts()));
      case REDUCE ->
          of(CollectiveFlow.TO_ROOT, call.root(), call.send().count() > 0, call.send().bytes());
      case ALLREDUCE -> of(CollectiveFlow.ALL, -1, call.send().count() > 0, call.send().bytes());
      case REDUCE_SCATTER ->
          of(CollectiveFlow.ALL, -1, call.receive().count() > 0, call.send().bytes());
      case SCAN, EXSCAN ->
          of(CollectiveFlow.SCAN, -1, call.send().count() > 0, call.send().bytes());
    };
  }

  private static DataFlow of(CollectiveFlow flow, int root, boolean carries, long bytes) {
    return new DataFlow(carries ? flow : CollectiveFlow.NONE, root, NOBODY, bytes);
  }

  private static DataFlow byParts(
      Communicator comm, CollectiveCall call, CollectiveFlow all, int root, long bytes) {
    CollectiveCall.Parts parts = call.receiveParts();
    if (parts == null) {
      return of(all, root, call.receive().count() >= comm.size(), bytes);
    }
    int[] senders = IntStream.range(0, comm.size()).filter(i -> parts.counts()[i] > 0).toArray();
    if (senders.length == 0 || senders.length == comm.size()) {
      return of(all, root, senders.length > 0, bytes);
    }
    return new DataFlow(CollectiveFlow.LISTED, root, senders, bytes);
  }

  private static long sum(Payload payload, CollectiveCall.@Nullable Parts parts) {
    return parts == null
        ? payload.bytes()
        : IntStream.of(parts.counts()).asLongStream().sum() * payload.type().bytes();
  }
}
