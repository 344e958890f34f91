package org.reprise.ranks;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** One rank of a job as the engine sees it. */
final class Rank {
  final int number;
  final Machine machine;
  final Mailbox mailbox = new Mailbox();

  /** The thread that runs the rank's program. */
  final Waiter main = new Waiter(true);

  /** Threads of the program's own that have waited in a call. */
  final List<Waiter> others = new CopyOnWriteArrayList<>();

  /** Whether the program has created threads. */
  volatile boolean hasThreads;

  /** Whether somebody looks for messages that no receive has taken. */
  volatile boolean probes;

  /** Guarded by {@link #main}. */
  private boolean inProgram;

  long messagesSent;
  long receives;

  @Nullable RankFabric fabric;

  /** Where its events are written, if they are. */
  @Nullable EventJournal events;

  volatile JobResult.@Nullable RankEnd end;

  Rank(int number, Machine machine) {
    this.number = number;
    this.machine = machine;
  }

  /** Runs its program, in which alone it can be interrupted: its files do not bear that. */
  void runProgram(RankProgram program) throws Throwable {
    synchronized (main) {
      inProgram = true;
    }
    try {
      program.run(number);
    } finally {
      synchronized (main) {
        inProgram = false;
        Thread.interrupted();
      }
    }
  }

  /** Wakes its program from whatever it waits in, if it is in its program. */
  void interruptProgram() {
    synchronized (main) {
      Thread thread = main.thread;
      if (inProgram && thread != null && thread != Thread.currentThread() && main.wait == null) {
        thread.interrupt();
      }
    }
  }

  RankFabric fabric() {
    if (fabric == null) {
      throw new IllegalStateException("rank " + number + " has not begun");
    }
    return fabric;
  }

  /** The waiter of the calling thread, which is one of this rank's. */
  Waiter waiter() {
    Thread self = Thread.currentThread();
    if (main.thread == self) {
      return main;
    }
    for (Waiter other : others) {
      if (other.thread == self) {
        return other;
      }
    }
    Waiter other = new Waiter(false);
    other.thread = self;
    others.add(other);
    return other;
  }
}
