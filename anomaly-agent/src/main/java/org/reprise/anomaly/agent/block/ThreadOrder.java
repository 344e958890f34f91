package org.reprise.anomaly.agent.block;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.hooks.Context;
import org.reprise.anomaly.report.Lineage;

/**
 * A thread's way through blocks: the task it executes, the block of it, and what is ordered before.
 * A thread that runs another task while it waits (a worker that helps) pushes it and comes back.
 *
 * <p>Labels are (task, block) with three tiers: the floor, one comparison, while the program is
 * serial outside one loop; forks above a block, for nesting where everybody joins what they forked;
 * known maps from the first join that is not a tree's.
 */
public class ThreadOrder extends Context {
  private static final int ASKED = 64;

  /** So long may tasks that somebody waited for take to end when the program has. */
  private static final long ON_THE_WAY_OUT_NANOS = 1_000_000_000L;

  private final Tags tags;
  private final OpenForks open;
  private final Deque<Frame> frames = new ArrayDeque<>();

  int task;
  @Nullable Fork fork;
  Known known = Known.NOTHING;

  /**
   * What is ordered before besides, on this schedule: by locks, volatile fields, atomics and
   * collections that were handed from one to the other in an order that the schedule chose. It
   * makes a conflict no more than that, and never nothing.
   */
  Known seen = Known.NOTHING;

  /** What further blocks of the current task belong to. */
  private @Nullable Span steps;

  /**
   * Blocks of which it is known whether they are before the current one; negative: they are not.
   */
  private final int[] asked = new int[ASKED];

  /** The state in which they were asked for. */
  private int askedTag;

  private Known askedKnown = Known.NOTHING;

  /** The first of the tags that were taken last for iterations. */
  private int runFirst;

  private int locks;

  /** A thread that nobody forked: the program's first thread. */
  public ThreadOrder(Tags tags, OpenForks open) {
    this.tags = tags;
    this.open = open;
    this.tag = tags.task(null);
    this.task = tag;
    this.floor = tag;
  }

  /** The thread of a thread, with the task that was forked for it. */
  public ThreadOrder(Tags tags, OpenForks open, Fork fork) {
    this.tags = tags;
    this.open = open;
    fork.ranBy(this);
    begin(fork, tags.task(fork));
  }

  /** The current block is about to end, or to learn something: what it did must be on record. */
  protected void leaving() {}

  /** Whether iterations of the loop need not report before the next one begins. */
  protected boolean keeps(Fork forked) {
    return false;
  }

  /** The locks that the block holds, as the detector numbers them. */
  public final int locks() {
    return locks;
  }

  public final void hold(int newLocks) {
    locks = newLocks;
    tellLoop();
  }

  /** Where the block, what it knows or what it holds is another. */
  private void tellLoop() {
    Fork from = fork;
    loop = from != null && locks == 0 && isUntouched(from) ? from.number : 0;
  }

  /** What prevents validation if this thread waited for the release, in words. */
  protected final Optional<String> starvation(Release release) {
    return Starvation.of(this, release);
  }

  /** The same, of the end of a task. */
  protected final Optional<String> starvation(Fork forked) {
    return Starvation.of(this, forked);
  }

  /** The thread has died, and somebody waited for it. */
  protected void over() {}

  public @Nullable Fork fork() {
    return fork;
  }

  /** A task is forked: what this thread does from now on runs beside it. */
  public Fork fork(Origin origin) {
    leaving();
    Fork forked = new Fork(this, 0, origin);
    open.opened(forked);
    on = true;
    step();
    return forked;
  }

  /** All iterations of a loop are forked; this thread waits for them. */
  public Fork forkLoop(Origin origin) {
    return forkBlocks(origin);
  }

  /** As {@link #forkLoop}, of blocks that come back after others. */
  public final Fork forkBlocks(Origin origin) {
    leaving();
    Fork forked = new Fork(this, tags.loop(), origin);
    open.opened(forked);
    on = true;
    return forked;
  }

  /** From here to {@link #pop} the thread executes the task that was forked. */
  public void push(Fork forked) {
    leaving();
    frames.push(new Frame(tag, floor, on, task, fork, known, seen, locks));
    begin(forked, tags.task(forked));
  }

  /**
   * The task that was pushed last, or the thread's own, is done: others may wait for it already.
   */
  public void done() {
    leaving();
    if (fork != null) {
      fork.ended(this);
    }
  }

  /** From here to {@link #pop} the thread executes iterations; {@link #iterate} says which. */
  public int pushIterations(Fork loop, int count, long firstIteration) {
    leaving();
    int first = tags.iterations(loop, count, firstIteration);
    frames.push(new Frame(tag, floor, on, task, fork, known, seen, locks));
    begin(loop, first);
    return first;
  }

  /** As {@link #pushIterations}, where no code of the program runs before the first iteration. */
  public void pushLeaf(Fork loop) {
    leaving();
    frames.push(new Frame(tag, floor, on, task, fork, known, seen, locks));
    begin(loop, loop.tag);
  }

  /**
   * Asks the body of a loop that was just forked what all its iterations are going to do. While
   * they need not report, that is as good as what each says when it has done it.
   *
   * @param function calls the body, with the iteration's number as the last argument
   * @return whether it has reported all; if not, it has reported none
   */
  public boolean query(Fork loop, int body, IntConsumer function, int number, int count) {
    if (!keeps(loop)) {
      return false;
    }
    int first = tags.iterations(loop, count, number);
    pretend(loop, first);
    boolean isDeclared;
    try {
      isDeclared = query(body, count, function, number);
      leaving();
    } finally {
      stopPretending();
    }
    if (!isDeclared) {
      tags.giveBack(first, count);
    }
    return isDeclared;
  }

  /** From here to {@link #pop} the thread executes the iteration with this tag. */
  public void pushIteration(Fork loop, int iteration) {
    leaving();
    frames.push(new Frame(tag, floor, on, task, fork, known, seen, locks));
    begin(loop, iteration);
  }

  /** More tags for iterations of the loop that this thread is in. */
  public int takeIterations(Fork loop, int count, long firstIteration) {
    runFirst = tags.iterations(loop, count, firstIteration);
    return runFirst;
  }

  /**
   * The next iteration begins: its tag is one of those that {@link #pushIterations} gave. Hot path:
   * after an iteration that was nothing but that, only the tag is another.
   */
  public void iterate(Fork forked, int iteration) {
    if (loop == forked.number && keeps(forked)) {
      tag = iteration;
      task = iteration;
      return;
    }
    leaving();
    if (known != forked.known || seen != forked.seen) {
      forked.ended(this);
    }
    begin(forked, iteration);
  }

  /**
   * Begins the next iteration of those that this thread executes one after the other, if there is
   * one below the end and nothing else has to be done for it.
   */
  public final boolean goesOn(Fork forked, int end) {
    int next = task + 1;
    boolean isPlain = next != end && loop == forked.number && keeps(forked);
    if (isPlain) {
      tag = next;
      task = next;
    }
    return isPlain;
  }

  private void begin(Fork forked, int newTag) {
    forked.began(newTag);
    tag = newTag;
    task = newTag;
    fork = forked;
    floor = forked.floor;
    known = forked.known;
    seen = forked.seen;
    locks = 0;
    loop = forked.number;
    on = true;
  }

  /**
   * From here to {@link #pop} the thread adds an element to the result of its leaf. That is ordered
   * after the element, and after what was added before, whichever element it was.
   */
  public void push(Accumulation accumulation) {
    leaving();
    frames.push(new Frame(tag, floor, on, task, fork, known, seen, locks));
    Known learned = accumulation.known;
    if (fork == accumulation.loop) {
      learned = tag == task ? learned.withRun(runFirst, tag) : learned.with(task, tag);
      if (known != fork.known) {
        learned = learned.union(known);
      }
    }
    Known sight = accumulation.seen.union(seen);
    begin(accumulation.loop, accumulation.tag);
    seen = sight;
    know(learned);
  }

  /** Everything that the loop of this accumulation has done so far is ordered before it. */
  public void learnAll(Accumulation accumulation) {
    accumulation.known = accumulation.known.withRun(accumulation.loop.tag + 1, tags.last());
  }

  /** Comes back from an accumulation. */
  public void pop(Accumulation accumulation) {
    leaving();
    accumulation.known = known;
    accumulation.seen = seen;
    restore();
  }

  /**
   * From here to {@link #pop} the thread runs the source of a leaf, which gives it elements one
   * after the other.
   */
  public void pushSource(Accumulation source) {
    leaving();
    frames.push(new Frame(tag, floor, on, task, fork, known, seen, locks));
    begin(source.loop, source.tag);
    seen = source.seen;
    know(source.known);
  }

  /** What the source of the leaf did so far is before the current block. */
  public void learn(Accumulation source) {
    leaving();
    seen = seen.union(source.seen);
    know(known.union(source.known).with(source.tag, source.tag));
  }

  /** What comes after the source's last step, in one of the two parts it was split into. */
  public Accumulation after(Accumulation source) {
    Accumulation next = accumulation(source.loop);
    next.merge(source);
    return next;
  }

  /**
   * A class is initialised. From here to {@link #popUnchecked} the block is not checked, unless it
   * forks: then it may be beside what it forked.
   */
  public void pushUnchecked() {
    leaving();
    frames.push(new Frame(tag, floor, on, task, fork, known, seen, locks));
    on = false;
  }

  /**
   * The class is initialised. What the thread learned and waited for meanwhile it still knows.
   *
   * @return whether something was forked or waited for, and something else may still run
   */
  public boolean popUnchecked() {
    leaving();
    Frame before = frames.pop();
    boolean hasRisen = floor != before.floor;
    on |= before.on && !hasRisen;
    return tag != before.tag && !isAlone();
  }

  /** Whether nothing that was forked may run beside this thread. */
  protected final boolean isAlone() {
    return fork == null && open.none();
  }

  /** The task that was pushed last has ended. */
  public void pop() {
    leaving();
    if (fork != null) {
      fork.ended(this);
    }
    restore();
  }

  private void restore() {
    Frame frame = frames.pop();
    tag = frame.tag;
    floor = frame.floor;
    on = frame.on;
    task = frame.task;
    fork = frame.fork;
    known = frame.known;
    seen = frame.seen;
    locks = frame.locks;
    tellLoop();
  }

  /** How many tasks are pushed. */
  public int depth() {
    return frames.size();
  }

  /**
   * What was forked has ended, and this thread waited for it. Where the forking task joins, nothing
   * is learned but the join itself: whoever knows it knows everything below.
   */
  public void join(Fork forked) {
    leaving();
    forked.threadEnded();
    if (forked.task == task && forked.up == fork) {
      step();
      if (!forked.isJoined()) {
        forked.joined = tag;
        open.closed(forked);
      }
      seen = seen.union(forked.learnedSeen());
      know(known.union(forked.learned()));
      riseIfAlone();
    } else {
      acquire(ended(forked));
    }
  }

  /**
   * The program ends with this thread: what was forked and may be cut short by that. The virtual
   * machine waits for threads that are no daemons, unless it is told to exit.
   */
  public List<Fork> cutShort(boolean exits) {
    long deadlineNanos = System.nanoTime() + ON_THE_WAY_OUT_NANOS;
    List<Fork> cutShort = new ArrayList<>();
    Set<Fork> seen = new HashSet<>();
    List<Fork> tasks = open.tasks().stream().filter(Fork::isOfProgram).toList();
    while (seen.addAll(tasks)) { // those that end only now may have forked others
      if (!exits) {
        tasks.stream().filter(task -> !task.isDaemon()).forEach(this::join);
      }
      tasks.stream().filter(task -> !hasWaitedFor(task, deadlineNanos)).forEach(cutShort::add);
      tasks =
          open.tasks().stream()
              .filter(Fork::isOfProgram)
              .filter(task -> !seen.contains(task))
              .toList();
    }
    return cutShort;
  }

  /** Whether the thread executes what was forked there, or something that this forked. */
  public boolean isIn(Fork forked) {
    Fork above = fork;
    while (above != null && above != forked) {
      above = above.up;
    }
    return above != null;
  }

  /** Who said that all is done may still be on the way out. */
  private boolean hasWaitedFor(Fork forked, long deadlineNanos) {
    return forked.isJoined()
        || (isAfterBeginningOf(forked)
            && forked.endsBefore(deadlineNanos)
            && isAfterBeginningOf(forked));
  }

  /** Nothing begins in a thread that runs none of the program's code. */
  private boolean isAfterBeginningOf(Fork forked) {
    return !forked.hasBegun() || isAfter(forked.only());
  }

  private static Release ended(Fork forked) {
    Known all = above(forked.learned().union(forked.known), forked);
    return new Release(
        forked.last() == 0 ? all : all.with(forked.only(), forked.last()),
        forked.learnedSeen(),
        forked,
        forked.only());
  }

  /**
   * What this thread did so far is before everything that happens after the event it causes now.
   */
  public Release release() {
    leaving();
    Known all = fork == null ? known : above(known, fork);
    Release release = new Release(all.with(task, tag), seen, fork, task);
    step();
    return release;
  }

  /**
   * As {@link #release}, but including what the current block is still going to do: up to {@link
   * #renew}.
   */
  public Release promise() {
    leaving();
    Known all = fork == null ? known : above(known, fork);
    return new Release(all.with(task, tag), seen, fork, task);
  }

  /** A new block begins. */
  public void renew() {
    leaving();
    step();
  }

  /** The task: the first of its tags. */
  public int task() {
    return task;
  }

  /** This thread waited for what the release stands for. */
  public void acquire(Release release) {
    leaving();
    seen = seen.union(release.seen);
    know(known.union(release.known));
    if (fork == null && open.closeKnown(this)) {
      step();
      riseIfAlone();
    }
  }

  /**
   * What the release stands for came before, on this schedule: on another one it may come after.
   * What the block did so far is looked at before it knows that.
   */
  public void see(Release release) {
    Known more = seen.union(release.seen).union(release.known);
    if (more != seen) {
      leaving();
      seen = more;
      tellLoop();
    }
  }

  /** The task has ended before, on this schedule: on another one it may run later. */
  public void see(Fork forked) {
    see(ended(forked));
  }

  /** As {@link #see}, where all that the block still remembers came after it. */
  protected final void haveSeen(Release release) {
    seen = seen.union(release.seen).union(release.known);
    tellLoop();
  }

  /** Whether the block is before the current one on this schedule, if not on every one. */
  public boolean hasSeen(int block) {
    return seen != Known.NOTHING && isAfterForks(block, seen);
  }

  /** Whether the release is, among other things, of this block. */
  public boolean isOf(Release release, int block) {
    return isAfterForks(block, release.known) || isAfterForks(block, release.seen);
  }

  /** As {@link #release}, of more than anybody could remember: every block that began so far. */
  public Release releaseAll() {
    return Release.upTo(tags.last());
  }

  /** What is known through the forks above: the forking blocks. */
  private static Known above(Known known, Fork from) {
    Known all = known;
    for (Fork above = from; above != null; above = above.up) {
      if (above.tag > from.floor) {
        all = all.with(above.task, above.tag);
      }
    }
    return all;
  }

  private void know(Known more) {
    known = more;
    tellLoop();
  }

  private void step() {
    Span span = steps;
    if (span == null || span.fork != fork || span.first != task) {
      span = new Span(fork, task, task, -1);
      steps = span;
    }
    tag = tags.step(span);
    tellLoop();
  }

  /** When nothing else is open, everything that ever happened is ordered before this block. */
  private void riseIfAlone() {
    if (isAlone()) {
      // The loop that was joined just now may still be looked at.
      tags.forget(floor);
      floor = tag;
      known = Known.NOTHING;
      seen = Known.NOTHING;
      on = false;
    }
  }

  /** Whether something may run beside this thread, with all that it has waited for. */
  public boolean isBeside() {
    return on;
  }

  /**
   * Whether nobody knows how the block is ordered. One that is forgotten is before everything,
   * unless its thread came from nowhere, or another one that did asks.
   */
  public boolean isLost(int block) {
    Span span = tags.span(block);
    return span == null || span.fork == Fork.NOWHERE;
  }

  /** Whether the block is an iteration of the loop that has neither forked nor waited so far. */
  protected final boolean isUntouched(Fork loop) {
    return fork == loop && known == loop.known && seen == loop.seen && tag == task;
  }

  /** From here to {@link #stopPretending} this thread is in another iteration. */
  public final void pretend(Fork loop, int iteration) {
    frames.push(new Frame(tag, floor, on, task, fork, known, seen, locks));
    begin(loop, iteration);
  }

  public final void stopPretending() {
    restore();
  }

  /** Whether the block is an iteration of the loop that this thread is in now. */
  public boolean isInSameLoop(int block) {
    Span span = tags.span(block);
    return span != null && fork != null && span.fork == fork && fork.isLoop();
  }

  /** The block with the tasks above it. */
  public Lineage lineage(int block) {
    List<Lineage.Task> tasks = new ArrayList<>();
    Span span = tags.span(block);
    int own = span == null ? block : span.task(block);
    Fork from = span == null ? null : span.fork;
    tasks.add(task(own, from));
    while (from != null) {
      own = from.task;
      from = from.up;
      tasks.add(0, task(own, from));
    }
    return new Lineage(block, tasks);
  }

  private Lineage.Task task(int first, @Nullable Fork from) {
    String text = describe(first, from);
    return from == null
        ? new Lineage.Task(first, text, OptionalLong.empty(), () -> 0)
        : new Lineage.Task(
            first, text, OptionalLong.of(from.tag), () -> from.isJoined() ? from.joined : 0);
  }

  /** A task in the words of the source: "iteration 17 of the loop at Solver.java:88". */
  private String describe(int first, @Nullable Fork from) {
    if (from == null) {
      return "the first thread";
    }
    Origin origin = from.origin();
    if (!from.isLoop()) {
      return "the " + origin.text();
    }
    Span all = tags.span(first);
    return all == null || all.firstIteration < 0
        ? "an iteration of the " + origin.text()
        : "iteration " + (all.firstIteration + first - all.first) + " of the " + origin.text();
  }

  /** Whether the block is ordered before this thread's current one, or is the same. */
  public boolean isAfter(int block) {
    return block <= floor || block == tag || isAfterSlowly(block);
  }

  private boolean isAfterSlowly(int block) {
    if (askedTag != tag || askedKnown != known) {
      Arrays.fill(asked, 0);
      askedTag = tag;
      askedKnown = known;
    }
    int slot = block & (ASKED - 1);
    if (asked[slot] == block) {
      return true;
    }
    if (asked[slot] == -block) {
      return false;
    }
    boolean isAfter = isAfterForks(block, known);
    asked[slot] = isAfter ? block : -block;
    return isAfter;
  }

  /** Whether the block is known by the forks above, or by what is given. */
  private boolean isAfterForks(int block, Known more) {
    Span span = tags.span(block);
    if (span == null) {
      return false;
    }
    int asking = block;
    int owner = span.task(block);
    Fork from = span.fork;
    while (!knows(owner, asking, more)) {
      if (from == null || !from.isJoined()) {
        return false;
      }
      asking = from.joined;
      owner = from.task;
      from = from.up;
    }
    return true;
  }

  private boolean knows(int owner, int block, Known more) {
    if (owner == task) {
      return block <= tag;
    }
    for (Fork above = fork; above != null; above = above.up) {
      if (above.task == owner && block <= above.tag) {
        return true;
      }
    }
    return known.contains(owner, block) || (more != known && more.contains(owner, block));
  }

  /** A new accumulation, of a leaf of the loop. */
  public Accumulation accumulation(Fork loop) {
    return new Accumulation(loop, tags.task(loop));
  }

  /** What was pushed away while another task runs. */
  private record Frame(
      int tag,
      int floor,
      boolean on,
      int task,
      @Nullable Fork fork,
      Known known,
      Known seen,
      int locks) {}
}
