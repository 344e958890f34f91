package org.reprise.ranks.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.engine.Decision;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.engine.Pending;
import org.reprise.ranks.engine.Wait;
import org.reprise.ranks.engine.Waiter;

/** What a {@link SerialMachine} knows of a rank's first thread, or of another one that calls. */
final class Seat {
  final JobRank rank;

  /** The number of the thread among those of its rank. */
  final int thread;

  final Waiter waiter;

  /** In the queue of those that can run, or running. */
  boolean canRun;

  /** Whether it is in a step, and not in the program's own code. */
  volatile boolean inStep;

  /** How many steps it has taken, of a rank that has several threads. */
  long steps;

  /** Whether its call comes to what the scheduler says. */
  boolean asks;

  @Nullable Decision decision;

  /** How often each poll has failed in a row. */
  final Map<List<Object>, Integer> failures = new HashMap<>();

  Seat(JobRank rank, int thread, Waiter waiter) {
    this.rank = rank;
    this.thread = thread;
    this.waiter = waiter;
  }

  /** What makes two polls of a rank the same one. */
  static List<Object> poll(Wait wait) {
    List<Object> poll = new ArrayList<>();
    poll.add(wait.call);
    switch (wait) {
      case Wait.ForMessage probe -> {
        poll.add(probe.comm.id());
        poll.add(probe.source);
        poll.add(probe.tag);
      }
      case Wait.ForOperations completion -> {
        for (Pending operation : completion.operations) {
          poll.add(operation == null ? -1L : operation.post);
        }
      }
      case Wait.ForRound _ -> {}
    }
    return poll;
  }
}
