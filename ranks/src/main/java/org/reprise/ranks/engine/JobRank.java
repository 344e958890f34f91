package org.reprise.ranks.engine;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.journal.EventJournal;

/** One rank of a job as the engine sees it. */
public final class JobRank {
  public final int number;
  public final Machine machine;
  public final Mailbox mailbox = new Mailbox();

  /** The thread that runs the rank's program. */
  public final Waiter main = new Waiter(true);

  /** Threads of the program's own that have called, by their numbers. */
  public final Map<Integer, Waiter> others = new ConcurrentHashMap<>();

  /** In which order its threads call. */
  public final Turns turns = new Turns(this);

  /** Threads that the program has created, as long as they may run. */
  private final Map<Integer, Life> lives = new ConcurrentHashMap<>();

  private final ReferenceQueue<Object> ended = new ReferenceQueue<>();

  /** Is cleared when the thread of this number has ended. */
  private static final class Life extends WeakReference<Object> {
    final int thread;

    Life(int thread, Object life, ReferenceQueue<Object> ended) {
      super(life, ended);
      this.thread = thread;
    }
  }

  /** Whether the program has created threads. */
  public volatile boolean hasThreads;

  /** Whether somebody looks for messages that no receive has taken. */
  public volatile boolean probes;

  /** Guarded by {@link #main}. */
  private boolean inProgram;

  /** How many messages each thread has sent. Only the thread in a step is here. */
  private final Map<Integer, Integer> sentByThread = new HashMap<>(0);

  public long messagesSent;
  long receives;

  @Nullable public Caller fabric;

  /** Where its events are written, if they are. */
  @Nullable public EventJournal events;

  public volatile JobResult.@Nullable RankEnd end;

  JobRank(int number, Machine machine) {
    this.number = number;
    this.machine = machine;
  }

  /** Runs its program, in which alone it can be interrupted: its files do not bear that. */
  public void runProgram(RankProgram program) throws Throwable {
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
  public void interruptProgram() {
    synchronized (main) {
      Thread thread = main.thread;
      if (inProgram && thread != null && thread != Thread.currentThread() && main.wait == null) {
        thread.interrupt();
      }
    }
  }

  public Caller fabric() {
    if (fabric == null) {
      throw new IllegalStateException("rank " + number + " has not begun");
    }
    return fabric;
  }

  /** Whether several threads may call. */
  public boolean isShared() {
    return hasThreads && machine.threadsMayCall();
  }

  /**
   * Whether a call that may wait need not, and nobody else can call in between either. Hot: asked
   * before a wait is even made.
   */
  public boolean goesOn(boolean over) {
    if (!over || isShared()) {
      return false;
    }
    turns.stepAlone();
    return true;
  }

  /** Waits in a call that may wait, where it does not simply go on. */
  public void await(Wait wait) {
    if (isShared()) {
      turns.await(wait);
    } else {
      turns.stepAlone();
      machine.await(this, wait);
    }
  }

  /** Asks the machine what the call comes to, and lets the rank's other threads in meanwhile. */
  public Decision decide(Wait wait) {
    return isShared() ? turns.decide(wait) : machine.decide(this, wait);
  }

  /** The program has created a thread, which has not started yet. */
  public void created(int thread, Object life) {
    forgetEnded();
    lives.put(thread, new Life(thread, life, ended));
    hasThreads = true;
    machine.threadCreated(this);
  }

  private void forgetEnded() {
    for (Reference<?> gone = ended.poll(); gone != null; gone = ended.poll()) {
      int thread = ((Life) gone).thread;
      lives.remove(thread);
      others.remove(thread);
    }
  }

  /** Whether a thread may run that has never called, of which nothing is known therefore. */
  public boolean hasUnknownThreads() {
    forgetEnded();
    return lives.values().stream()
        .anyMatch(life -> life.get() != null && !others.containsKey(life.thread));
  }

  /** Names the next message of the calling thread: by the thread, and as its n-th. */
  long nextOrigin() {
    int thread = CurrentRank.thread();
    return (long) thread << Integer.SIZE | sentByThread.merge(thread, 1, Integer::sum);
  }

  /** What follows is done by this thread: it has outcomes, a hash and events of its own. */
  void goOnIn(int thread) {
    fabric().goOnIn(thread);
    if (events != null) {
      events.goOnIn(thread);
    }
  }

  /** The waiter of a thread, if that has ever called. */
  @Nullable Waiter waiter(int thread) {
    return thread == 0 ? main : others.get(thread);
  }

  /** The waiter of the calling thread, which is one of this rank's. */
  public Waiter waiter() {
    Thread self = Thread.currentThread();
    if (main.thread == self) {
      return main;
    }
    return others.computeIfAbsent(
        CurrentRank.thread(),
        _ -> {
          Waiter other = new Waiter(false);
          other.thread = self;
          return other;
        });
  }

  /** One of its threads that sleeps in a call, if there is one: the first thread rather. */
  Waiter sleeper() {
    return main.wait != null
        ? main
        : others.values().stream().filter(other -> other.wait != null).findFirst().orElse(main);
  }
}
