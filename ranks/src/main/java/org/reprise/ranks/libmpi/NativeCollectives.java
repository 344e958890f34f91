package org.reprise.ranks.libmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.CollectiveCall.Kind;
import org.reprise.ranks.fabric.CollectiveCall.Parts;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Reduction;

/**
 * Collective calls of libmpi. Gather and Scatter are always those with counts: a rank that is not
 * the root does not know whether the root has any. Reductions that libmpi does not have gather
 * everybody's contribution and combine here, in the order of ranks.
 */
final class NativeCollectives {
  private final Family mpi = Calls.family();
  private final Segments segments;

  NativeCollectives(Segments segments) {
    this.segments = segments;
  }

  void run(NativeComm comm, CollectiveCall call) {
    begin(comm, call, null).run();
  }

  /**
   * Makes the call of libmpi.
   *
   * @param request where the request goes if the call is only to be started; null: it waits
   * @return to be run when libmpi is done: hands the result over and the native memory back
   */
  Runnable begin(NativeComm comm, CollectiveCall call, @Nullable MemorySegment request) {
    return switch (call.kind()) {
      case BARRIER -> {
        Calls.call(Calls.BARRIER, request, comm.handle);
        yield () -> {};
      }
      case BCAST -> bcast(comm, call, request);
      case GATHER -> gather(comm, call, request);
      case SCATTER -> scatter(comm, call, request);
      case ALLGATHER -> allgather(comm, call, request);
      case ALLTOALL -> alltoall(comm, call, request);
      case REDUCE, ALLREDUCE, SCAN, EXSCAN, REDUCE_SCATTER -> reduce(comm, call, request);
    };
  }

  private Runnable bcast(NativeComm comm, CollectiveCall call, @Nullable MemorySegment request) {
    Payload data = call.send();
    MemorySegment memory = segments.filled(data);
    Calls.call(
        Calls.BCAST,
        request,
        memory,
        data.count(),
        mpi.datatype(data.type()),
        call.root(),
        comm.handle);
    return () -> {
      Segments.copy(memory, 0, data);
      segments.give(memory);
    };
  }

  private Runnable gather(NativeComm comm, CollectiveCall call, @Nullable MemorySegment request) {
    boolean root = comm.rank() == call.root();
    return exchange(
        call,
        (arena, in, out) -> {
          Parts parts = root ? parts(call.receiveParts(), call.receive(), comm.size()) : null;
          Calls.call(
              Calls.GATHERV,
              request,
              in,
              call.send().count(),
              mpi.datatype(call.send().type()),
              out,
              counts(arena, parts),
              displacements(arena, parts),
              mpi.datatype(call.receive().type()),
              call.root(),
              comm.handle);
        });
  }

  private Runnable scatter(NativeComm comm, CollectiveCall call, @Nullable MemorySegment request) {
    boolean root = comm.rank() == call.root();
    return exchange(
        call,
        (arena, in, out) -> {
          Parts parts = root ? parts(call.sendParts(), call.send(), comm.size()) : null;
          Calls.call(
              Calls.SCATTERV,
              request,
              in,
              counts(arena, parts),
              displacements(arena, parts),
              mpi.datatype(call.send().type()),
              out,
              call.receive().count(),
              mpi.datatype(call.receive().type()),
              call.root(),
              comm.handle);
        });
  }

  private Runnable allgather(
      NativeComm comm, CollectiveCall call, @Nullable MemorySegment request) {
    long sent = mpi.datatype(call.send().type());
    long received = mpi.datatype(call.receive().type());
    return exchange(
        call,
        (arena, in, out) -> {
          Parts parts = call.receiveParts();
          if (parts == null) {
            Calls.call(
                Calls.ALLGATHER,
                request,
                in,
                call.send().count(),
                sent,
                out,
                call.receive().count() / comm.size(),
                received,
                comm.handle);
          } else {
            Calls.call(
                Calls.ALLGATHERV,
                request,
                in,
                call.send().count(),
                sent,
                out,
                counts(arena, parts),
                displacements(arena, parts),
                received,
                comm.handle);
          }
        });
  }

  private Runnable alltoall(NativeComm comm, CollectiveCall call, @Nullable MemorySegment request) {
    long sent = mpi.datatype(call.send().type());
    long received = mpi.datatype(call.receive().type());
    return exchange(
        call,
        (arena, in, out) -> {
          if (call.sendParts() == null && call.receiveParts() == null) {
            Calls.call(
                Calls.ALLTOALL,
                request,
                in,
                call.send().count() / comm.size(),
                sent,
                out,
                call.receive().count() / comm.size(),
                received,
                comm.handle);
          } else {
            Parts out1 = parts(call.sendParts(), call.send(), comm.size());
            Parts in1 = parts(call.receiveParts(), call.receive(), comm.size());
            Calls.call(
                Calls.ALLTOALLV,
                request,
                in,
                counts(arena, out1),
                displacements(arena, out1),
                sent,
                out,
                counts(arena, in1),
                displacements(arena, in1),
                received,
                comm.handle);
          }
        });
  }

  /** A call from one native segment to another. */
  private interface Exchange {
    void run(Arena arena, MemorySegment in, MemorySegment out);
  }

  private Runnable exchange(CollectiveCall call, Exchange exchange) {
    MemorySegment in = segments.filled(call.send());
    // What libmpi does not write stays as it is in the program's array: gaps between parts.
    MemorySegment out = segments.filled(call.receive());
    Arena arena = Arena.ofConfined();
    Runnable giveBack =
        () -> {
          arena.close();
          segments.give(in);
          segments.give(out);
        };
    try {
      exchange.run(arena, in, out);
    } catch (FabricError e) {
      giveBack.run();
      throw e;
    }
    return () -> {
      Segments.copy(out, 0, call.receive());
      giveBack.run();
    };
  }

  private static Parts parts(@Nullable Parts parts, Payload payload, int ranks) {
    if (parts != null) {
      return parts;
    }
    int each = payload.count() / ranks;
    int[] counts = new int[ranks];
    int[] displacements = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      counts[rank] = each;
      displacements[rank] = rank * each;
    }
    return new Parts(counts, displacements);
  }

  private static MemorySegment counts(Arena arena, @Nullable Parts parts) {
    return parts == null
        ? MemorySegment.NULL
        : arena.allocateFrom(ValueLayout.JAVA_INT, parts.counts());
  }

  private static MemorySegment displacements(Arena arena, @Nullable Parts parts) {
    return parts == null
        ? MemorySegment.NULL
        : arena.allocateFrom(ValueLayout.JAVA_INT, parts.displacements());
  }

  // Reductions

  private Runnable reduce(NativeComm comm, CollectiveCall call, @Nullable MemorySegment request) {
    Reduction reduction = Objects.requireNonNull(call.reduction());
    String name = reduction.predefined();
    if (name == null || !isNative(name, call.send().type())) {
      return combineHere(comm, call, reduction, request);
    }
    boolean pairs = name.endsWith("LOC");
    long type = pairs ? mpi.pairOfInts() : numberType(call.send().type());
    int count = pairs ? call.send().count() / 2 : call.send().count();
    long operation = mpi.operation(name);
    return exchange(
        call,
        (arena, in, out) -> {
          switch (call.kind()) {
            case REDUCE ->
                Calls.call(
                    Calls.REDUCE,
                    request,
                    in,
                    out,
                    count,
                    type,
                    operation,
                    call.root(),
                    comm.handle);
            case REDUCE_SCATTER -> {
              int[] counts = parts(call.receiveParts(), call.send(), comm.size()).counts().clone();
              for (int rank = 0; pairs && rank < counts.length; rank++) {
                counts[rank] /= 2;
              }
              Calls.call(
                  Calls.REDUCE_SCATTER,
                  request,
                  in,
                  out,
                  arena.allocateFrom(ValueLayout.JAVA_INT, counts),
                  type,
                  operation,
                  comm.handle);
            }
            default ->
                Calls.call(
                    functionOf(call.kind()), request, in, out, count, type, operation, comm.handle);
          }
        });
  }

  private static Calls.Pair functionOf(Kind kind) {
    return switch (kind) {
      case ALLREDUCE -> Calls.ALLREDUCE;
      case SCAN -> Calls.SCAN;
      case EXSCAN -> Calls.EXSCAN;
      default -> throw new IllegalArgumentException(kind.toString());
    };
  }

  /** Whether libmpi has this operation on these elements, as Java has it. */
  private static boolean isNative(String name, BasicType type) {
    return switch (type) {
      case BYTE, CHAR, SHORT, INT, LONG -> !name.endsWith("LOC") || type == BasicType.INT;
      case FLOAT, DOUBLE -> !name.endsWith("LOC");
      case BOOLEAN -> name.startsWith("L");
      case PACKED, OBJECT -> false;
    };
  }

  private long numberType(BasicType type) {
    return type == BasicType.BYTE ? mpi.signedChar() : mpi.datatype(type);
  }

  private Runnable combineHere(
      NativeComm comm, CollectiveCall call, Reduction reduction, @Nullable MemorySegment request) {
    Payload send = call.send();
    int ranks = comm.size();
    boolean wanted = call.kind() != Kind.REDUCE || comm.rank() == call.root();
    Payload all =
        wanted
            ? new Payload(
                send.type(), send.type().newArray(send.count() * ranks), 0, send.count() * ranks)
            : Payload.EMPTY;
    Kind gathering = call.kind() == Kind.REDUCE ? Kind.GATHER : Kind.ALLGATHER;
    Runnable gathered =
        begin(
            comm, new CollectiveCall(gathering, call.root(), send, null, all, null, null), request);
    return () -> {
      gathered.run();
      if (wanted) {
        combine(comm, call, reduction, all);
      }
    };
  }

  /** What all ranks contributed, one behind the other, as the call combines it. */
  private static void combine(
      NativeComm comm, CollectiveCall call, Reduction reduction, Payload all) {
    Payload send = call.send();
    int ranks = comm.size();
    int until =
        switch (call.kind()) {
          case SCAN -> comm.rank() + 1;
          case EXSCAN -> comm.rank();
          default -> ranks;
        };
    if (until == 0) {
      return;
    }
    Payload result = all.slice(0, send.count());
    for (int rank = 1; rank < until; rank++) {
      reduction.combine(result, all.slice(rank * send.count(), send.count()));
    }
    int first = 0;
    if (call.kind() == Kind.REDUCE_SCATTER) {
      int[] counts = parts(call.receiveParts(), send, ranks).counts();
      for (int rank = 0; rank < comm.rank(); rank++) {
        first += counts[rank];
      }
    }
    Payload receive = call.receive();
    System.arraycopy(
        result.array(),
        result.offset() + first,
        receive.array(),
        receive.offset(),
        receive.count());
  }
}
