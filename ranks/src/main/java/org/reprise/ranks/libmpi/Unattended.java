package org.reprise.ranks.libmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;

/**
 * Sends that are complete for the program and not yet for libmpi: buffered ones, and the bodies of
 * large objects. Their memory is given back when libmpi has done with it, at the latest at the end.
 */
final class Unattended {
  private record Send(MemorySegment memory, long request) {}

  private final ArrayDeque<Send> sends = new ArrayDeque<>();
  private final Segments segments;
  private final Family mpi = Calls.family();
  private final MemorySegment request = Arena.global().allocate(ValueLayout.JAVA_LONG);
  private final MemorySegment flag = Arena.global().allocate(ValueLayout.JAVA_INT);
  private final MemorySegment status = Arena.global().allocate(64, 8);

  Unattended(Segments segments) {
    this.segments = segments;
  }

  void send(MemorySegment memory, int count, long type, int dest, int tag, long comm) {
    clear();
    Calls.transfer(Calls.ISEND, memory, count, type, dest, tag, comm, request);
    sends.addLast(new Send(memory, mpi.get(request, 0)));
  }

  /** Gives memory back as far as sends have ended in their order. */
  private void clear() {
    while (!sends.isEmpty()) {
      mpi.set(request, 0, sends.getFirst().request);
      Calls.call(Calls.TEST, request, flag, status);
      if (flag.get(ValueLayout.JAVA_INT, 0) == 0) {
        return;
      }
      segments.give(sends.removeFirst().memory);
    }
  }

  /** Waits for all. */
  void finish() {
    for (Send send : sends) {
      mpi.set(request, 0, send.request);
      Calls.await(request, status);
    }
    sends.clear();
  }
}
