package org.reprise.ranks.libmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.Operation;

/** One call of the Wait or Test families on requests of libmpi. */
final class Completion {
  private final LibMpiFabric fabric;
  private final @Nullable Operation[] operations;
  private final Family mpi = Calls.family();

  Completion(LibMpiFabric fabric, @Nullable Operation[] operations) {
    this.fabric = fabric;
    this.operations = operations;
  }

  int @Nullable [] run(CompletionMode mode) {
    int n = operations.length;
    if (Arrays.stream(operations).allMatch(operation -> operation == null)) {
      return Fabric.NONE_ACTIVE;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment requests = arena.allocate(ValueLayout.JAVA_LONG, n);
      for (int i = 0; i < n; i++) {
        NativeOperation operation = (NativeOperation) operations[i];
        mpi.set(requests, i, operation == null ? mpi.requestNull() : operation.request);
      }
      MemorySegment statuses = arena.allocate((long) n * mpi.statusBytes(), 8);
      MemorySegment flag = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment indices = arena.allocate(ValueLayout.JAVA_INT, n);
      return switch (mode) {
        case WAIT -> {
          Calls.await(requests, statuses);
          yield finished(new int[] {0}, statuses);
        }
        case TEST -> {
          Calls.call(Calls.TEST, requests, flag, statuses);
          yield isSet(flag) ? finished(new int[] {0}, statuses) : null;
        }
        case WAIT_ALL -> {
          Calls.call(Calls.WAITALL, n, requests, statuses);
          yield all(statuses);
        }
        case TEST_ALL -> {
          Calls.call(Calls.TESTALL, n, requests, flag, statuses);
          yield isSet(flag) ? all(statuses) : null;
        }
        case WAIT_ANY -> {
          Calls.call(Calls.WAITANY, n, requests, indices, statuses);
          yield finished(new int[] {indices.get(ValueLayout.JAVA_INT, 0)}, statuses);
        }
        case TEST_ANY -> {
          Calls.call(Calls.TESTANY, n, requests, indices, flag, statuses);
          yield isSet(flag)
              ? finished(new int[] {indices.get(ValueLayout.JAVA_INT, 0)}, statuses)
              : null;
        }
        case WAIT_SOME, TEST_SOME -> {
          Calls.call(
              mode == CompletionMode.WAIT_SOME ? Calls.WAITSOME : Calls.TESTSOME,
              n,
              requests,
              flag,
              indices,
              statuses);
          int done = flag.get(ValueLayout.JAVA_INT, 0);
          yield done == 0
              ? null
              : finished(indices.asSlice(0, 4L * done).toArray(ValueLayout.JAVA_INT), statuses);
        }
      };
    }
  }

  private static boolean isSet(MemorySegment flag) {
    return flag.get(ValueLayout.JAVA_INT, 0) != 0;
  }

  /** The k-th status is that of the k-th index. */
  private int[] finished(int[] indices, MemorySegment statuses) {
    for (int k = 0; k < indices.length; k++) {
      finish(indices[k], statuses, k);
    }
    return indices;
  }

  /** The k-th status is that of the k-th operation. */
  private int[] all(MemorySegment statuses) {
    int[] active =
        IntStream.range(0, operations.length).filter(i -> operations[i] != null).toArray();
    for (int index : active) {
      finish(index, statuses, index);
    }
    return active;
  }

  private void finish(int index, MemorySegment statuses, int place) {
    NativeOperation operation = (NativeOperation) operations[index];
    if (operation != null) {
      fabric.finish(operation, statuses, (long) place * mpi.statusBytes());
    }
  }
}
