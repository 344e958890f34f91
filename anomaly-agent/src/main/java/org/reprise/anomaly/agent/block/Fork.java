package org.reprise.anomaly.agent.block;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Starvation.Pool;

/**
 * A place in the execution where one task, or all iterations of one loop, became runnable beside
 * the task that forked them. Its tasks are ordered after the forking block, and before the block
 * that follows the join, if the forking task itself joins them.
 */
public final class Fork {
  /** Where threads come from whose beginning was not seen. */
  public static final Fork NOWHERE = new Fork();

  static final int NOT_JOINED = Integer.MAX_VALUE;

  /** Where the forking task came from; null where it is one that nobody forked. */
  final @Nullable Fork up;

  /** The task that forked, which is the tag of its first block. */
  final int task;

  /** The last block of the forking task that is ordered before the forked ones. */
  final int tag;

  /** Every block up to here is ordered before the forked ones. */
  final int floor;

  /** What the forking task knew beyond its ancestors. */
  final Known known;

  /** What it had seen beyond that, on this schedule. */
  final Known seen;

  /** How many forks lie above. */
  final int depth;

  private final Origin origin;

  /** Whether iterations are forked, all of them at once, rather than one task. */
  private final boolean isLoop;

  /** Distinguishes the loop from all others, as contexts have it; 0 for tasks. */
  final long number;

  /** The block of the forking task after the join; every block up to it is before that. */
  volatile int joined = NOT_JOINED;

  /** What the tasks knew when they ended, where that is more than what they were given. */
  private volatile Known learned = Known.NOTHING;

  /** What they had seen, likewise. */
  private volatile Known learnedSeen = Known.NOTHING;

  private boolean isClosed;
  private boolean isNamed;

  /** The one task that was forked; 0 for iterations, and until it runs. */
  private volatile int only;

  /** Its last block so far; 0 for iterations, and while it runs. */
  private volatile int last;

  /** The pool that runs the one task, if the number of its threads is limited. */
  private @Nullable Pool pool;

  /** Who executes the one task, where a thread does nothing else. */
  private volatile @Nullable ThreadOrder runner;

  /** The thread that was started, where one was. */
  private @Nullable WeakReference<Thread> thread;

  /** Whether the virtual machine may end while the one task runs. */
  private boolean isDaemon = true;

  /** Whether code of the program forked it. */
  private volatile boolean isOfProgram = true;

  /** Of threads whose beginning was not seen: ordered with nothing. */
  private Fork() {
    this.up = null;
    this.task = 0;
    this.tag = 0;
    this.floor = 0;
    this.known = Known.NOTHING;
    this.seen = Known.NOTHING;
    this.depth = 0;
    this.isLoop = false;
    this.number = 0;
    this.origin = new Origin(Origin.Kind.THREAD, "");
  }

  /** A task is forked; or a loop, if its number is not 0. */
  Fork(ThreadOrder by, int loop, Origin origin) {
    this.up = by.fork;
    this.task = by.task;
    this.tag = by.tag;
    this.floor = by.floor;
    this.known = by.known;
    this.seen = by.seen;
    this.depth = up == null ? 0 : up.depth + 1;
    this.isLoop = loop != 0;
    this.number = (long) loop << 32;
    this.origin = origin;
  }

  public Origin origin() {
    return origin;
  }

  /** The last block before the forked ones; the tags of these are greater. */
  public int tag() {
    return tag;
  }

  public boolean isLoop() {
    return isLoop;
  }

  public boolean isJoined() {
    return joined != NOT_JOINED;
  }

  /** What is known when the tasks of this fork have ended, beyond their own blocks. */
  Known learned() {
    return learned;
  }

  Known learnedSeen() {
    return learnedSeen;
  }

  /** Nobody needs to wait for the tasks any more; false if that was known. */
  synchronized boolean close() {
    boolean wasOpen = !isClosed;
    isClosed = true;
    return wasOpen;
  }

  /** Whether the one task has begun. */
  public boolean hasBegun() {
    return only != 0;
  }

  /** Whether the one task has said that it is done. */
  public boolean isDone() {
    return last != 0;
  }

  int only() {
    return only;
  }

  int last() {
    return last;
  }

  /** A task of this fork begins. */
  void began(int firstTag) {
    if (!isLoop) {
      only = firstTag;
    }
  }

  /** What was forked is this thread. */
  public void starts(Thread started) {
    thread = new WeakReference<>(started);
    runsIn(started);
  }

  /** Where the one task runs, unless somebody who waits for it helps. */
  public void runsIn(Thread worker) {
    isDaemon = worker.isDaemon();
  }

  /** Who runs the one task. */
  public void runsIn(Pool limited) {
    pool = limited;
  }

  @Nullable Pool pool() {
    return pool;
  }

  /** Somebody else's code forked it, or nothing will come of it: nobody asks how it ends. */
  public void belongsElsewhere() {
    isOfProgram = false;
  }

  /** Code of the program has run in it. */
  public void belongsToProgram() {
    isOfProgram = true;
  }

  boolean isOfProgram() {
    return isOfProgram;
  }

  boolean isDaemon() {
    return isDaemon;
  }

  /** Whether no verdict has named it so far as one that nobody waited for. */
  public synchronized boolean isNamedFirst() {
    boolean isFirst = !isNamed;
    isNamed = true;
    return isFirst;
  }

  /** Waits for the one task, or the thread, to end, but not for ever. */
  boolean endsBefore(long deadlineNanos) {
    try {
      while (!hasEnded() && System.nanoTime() - deadlineNanos < 0) {
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return hasEnded();
  }

  /** A worker of the program's own that waits for more to do, which nobody will give it. */
  private boolean isIdle(Thread alive) {
    return hasBegun() && alive.getState() == Thread.State.WAITING;
  }

  /** Whether nothing more will come of it, now that the program ends. */
  private boolean hasEnded() {
    Thread alive = thread();
    return !mayGoOn() || (alive != null && isIdle(alive));
  }

  /** Whether the one task, or the thread, may still do something. */
  public boolean mayGoOn() {
    Thread alive = thread();
    return thread == null ? last == 0 : alive != null && alive.isAlive();
  }

  private @Nullable Thread thread() {
    WeakReference<Thread> started = thread;
    return started == null ? null : started.get();
  }

  void ranBy(ThreadOrder threadOrder) {
    runner = threadOrder;
  }

  /** The thread that executed the task has died, without a word. */
  synchronized void threadEnded() {
    ThreadOrder threadOrder = runner;
    if (threadOrder != null) {
      runner = null;
      threadOrder.leaving();
      ended(threadOrder);
      threadOrder.over();
    }
  }

  /** A task of this fork ended. Hot path: once per leaf of a loop, by all threads at once. */
  void ended(ThreadOrder threadOrder) {
    if (!isLoop || threadOrder.known != known || threadOrder.seen != seen) {
      learn(threadOrder);
    }
  }

  private synchronized void learn(ThreadOrder threadOrder) {
    last = Math.max(last, isLoop ? 0 : threadOrder.tag);
    if (threadOrder.known != known) {
      learned = learned.union(threadOrder.known);
    }
    if (threadOrder.seen != seen) {
      // Iterations have mostly seen each other, and to tell which would take longer than they do.
      Known more = isLoop ? threadOrder.releaseAll().seen : threadOrder.seen;
      learnedSeen = learnedSeen.union(more);
    }
  }
}
