package org.reprise.ranks.engine;

import java.util.List;
import java.util.Optional;
import org.reprise.ranks.fabric.MpiCall;

/**
 * Ranks that wait for each other, or for ranks that have ended: nothing can move any more.
 *
 * @param waits every rank that had not ended
 * @param cycle ranks each of which waits for the next and the last for the first; empty if they
 *     wait for ranks that have ended
 */
public record Deadlock(List<Wait> waits, List<Integer> cycle) {
  public Deadlock {
    waits = List.copyOf(waits);
    cycle = List.copyOf(cycle);
  }

  /**
   * Where one rank waits.
   *
   * @param line of the program, as {@code Ring.java:17}; empty if no frame of it is on the stack
   * @param what it waits for, in words: {@code a message from rank 2, tag 7}
   * @param ranks whose doing could end the wait, numbers in MPI_COMM_WORLD
   */
  public record Wait(
      int rank, MpiCall call, Optional<String> line, String what, List<Integer> ranks) {
    public Wait {
      ranks = List.copyOf(ranks);
    }
  }
}
