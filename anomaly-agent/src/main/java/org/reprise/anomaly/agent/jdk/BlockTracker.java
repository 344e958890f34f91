package org.reprise.anomaly.agent.jdk;

import java.util.Collection;
import java.util.List;
import java.util.Spliterator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletableFuture.AsynchronousCompletionTask;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.block.Starvation.Pool;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.Stacks;
import org.reprise.anomaly.agent.detect.history.IdentityTable;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.report.Ending;
import org.reprise.anomaly.hooks.Context;
import org.reprise.anomaly.hooks.Forking;
import org.reprise.anomaly.hooks.Hooks;

/** Turns what the JDK reports into forks, blocks and joins. */
public final class BlockTracker extends Forking {
  private static final ClassValue<Boolean> IS_OF_STREAM =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return type.getName().startsWith("java.util.stream.");
        }
      };

  private final IdentityTable<Object, Fork> forks = new IdentityTable<>();
  private final Arrivals arrivals = new Arrivals();
  private final SingleThreads singleThreads = new SingleThreads();
  private final IdentityTable<Object, Pool> pools = new IdentityTable<>();
  private final WaitingCommands waiting = new WaitingCommands();
  private final ForkGroups groups = new ForkGroups();
  private final Loops loops;
  private final Accumulations accumulations = new Accumulations();
  private final ArrayFunctions arrayFunctions;
  private final Synchronisers synchronisers;
  private final Completions completions;
  private final Supplier<@Nullable ThreadOrder> threadOrders;
  private final BiConsumer<String, String> obstacles;
  private final ProgramEnd end;
  private final Forkers forkers;

  /** Set while a pool starts a thread for itself. */
  private final ThreadLocal<@Nullable Boolean> startsWorker = new ThreadLocal<>();

  /**
   * The tracker of a program.
   *
   * @param trusted gets the name of code that forks and that the user trusts
   */
  public BlockTracker(
      BiConsumer<String, String> obstacles, Ending ending, Scope scope, Consumer<String> trusted) {
    this(obstacles, ending, new Forkers(scope, obstacles, trusted), BlockTracker::orderOfThread);
  }

  /** As above, where somebody else says in which thread a method begins or ends. */
  BlockTracker(
      BiConsumer<String, String> obstacles,
      Ending ending,
      Forkers forkers,
      Supplier<@Nullable ThreadOrder> threadOrders) {
    this.threadOrders = threadOrders;
    this.arrayFunctions = new ArrayFunctions(threadOrders);
    this.forkers = forkers;
    this.obstacles = obstacles;
    this.end = new ProgramEnd(ending, obstacles);
    this.synchronisers = new Synchronisers(obstacles);
    this.completions = new Completions(obstacles);
    this.loops = new Loops(obstacles, forkers);
  }

  /** Where the program is at a site, by its number. */
  public void findPlacesWith(IntFunction<String> places) {
    loops.findPlacesWith(places);
  }

  /** From now on each iteration of a loop tells what it does when it has done it. */
  public void neverQuery() {
    loops.neverQuery();
  }

  /** What becomes of a read of a stream's source by an element of the stream. */
  public void readSourcesWith(SourceReads reads) {
    loops.readSourcesWith(reads);
  }

  /** Elements of streams read the collection that the stream goes through. */
  @FunctionalInterface
  public interface SourceReads {
    /** The thread's block gets an element; returns whether the stream has a source at all. */
    boolean read(Object stream, ThreadOrder threadOrder);
  }

  /** The fork that started a thread; null if its beginning was not seen. */
  public @Nullable Fork forkOf(Thread thread) {
    return forks.get(thread);
  }

  private @Nullable ThreadOrder threadOrder() {
    return threadOrders.get();
  }

  private static @Nullable ThreadOrder orderOfThread() {
    Context context = Hooks.context();
    return context instanceof ThreadOrder threadOrder ? threadOrder : null;
  }

  @Override
  public boolean enter(int number, @Nullable Object self, @Nullable Object argument) {
    if (self instanceof ForkJoinTask<?> && IS_OF_STREAM.get(self.getClass())) {
      return enterOfStream(argument);
    }
    ThreadOrder threadOrder = threadOrder();
    if (threadOrder == null || self == null) {
      return false;
    }
    switch (Point.of(number)) {
      case FORK -> fork(threadOrder, self, true);
      case POOL_SUBMIT, POOL_INVOKE -> submit(threadOrder, (ForkJoinPool) self, argument);
      case EXECUTE -> {
        return execute(threadOrder, self);
      }
      case DONE, FUTURE_DONE, SCOPE_DONE -> {
        if (Point.of(number) == Point.SCOPE_DONE) {
          threadOrder.done();
        } else {
          done(threadOrder, self);
        }
        if (argument instanceof Throwable exception) {
          obstacles.accept("a task that ended with " + exception.getClass().getName(), "");
        }
      }
      case COMPLETE -> complete(threadOrder, (CountedCompleter<?>) self);
      case PROPAGATE -> propagate(threadOrder, (CountedCompleter<?>) self);
      case FIRST_COMPLETE -> {
        if (isFollowed(self)) {
          arrivals.arrive(threadOrder, self);
        }
      }
      case THREAD_START, VIRTUAL_START -> start(threadOrder, (Thread) self);
      case EXECUTOR_EXECUTE -> executeLater(threadOrder, self, argument);
      case SCHEDULE -> {
        if (!wakesForTheLibrary((ThreadPoolExecutor) self)) {
          executeLater(threadOrder, self, argument);
        }
      }
      case EXECUTOR_ADDS_WORKER -> startsWorker.set(true);
      case EXECUTOR_REJECTS -> rejects(threadOrder, (ThreadPoolExecutor) self, argument);
      case THREADS_START, SCOPE_FORK -> groups.open(self);
      case LOOP -> {
        Fork loop = loops.enter(threadOrder, self, argument);
        if (loop != null) {
          accumulations.begin(threadOrder, argument, loop);
        }
        return loop != null;
      }
      case ACCUMULATE -> {
        return accumulations.enter(threadOrder, self);
      }
      case COMBINE -> {
        return argument != null && accumulations.combine(threadOrder, self, argument);
      }
      case ORDERED -> {
        return accumulations.enterOrdered(threadOrder, self);
      }
      case UNCAUGHT -> end.uncaught((Thread) self, argument);
      case EXIT -> end.exits(threadOrder, argument);
      case HALT -> end.halts(threadOrder, argument);
      case COMPLETED -> completions.completed(threadOrder, self, false);
      case COMPLETED_BY_HAND -> completions.completed(threadOrder, self, true);
      case STAGE -> {
        return completions.enterStage(threadOrder, self, argument, Completions.Needs.ALL);
      }
      case EITHER_STAGE -> {
        return completions.enterStage(threadOrder, self, argument, Completions.Needs.ONE);
      }
      case FIRE -> {
        boolean isTask = threadOrder.fork() != null && threadOrder.fork() == forks.get(self);
        return completions.enterFire(threadOrder, self, isTask);
      }
      default -> synchronisers.enter(threadOrder, Point.of(number), self, argument);
    }
    return false;
  }

  @Override
  public void exit(
      boolean entered,
      int number,
      @Nullable Object self,
      @Nullable Object argument,
      @Nullable Object result) {
    if (self instanceof ForkJoinTask<?> && IS_OF_STREAM.get(self.getClass())) {
      return;
    }
    ThreadOrder threadOrder = threadOrder();
    if (threadOrder == null || self == null) {
      return;
    }
    switch (Point.of(number)) {
      case EXECUTE -> {
        if (entered) {
          threadOrder.pop();
        }
      }
      case JOIN -> {
        if (!hasGivenUp(result)) {
          join(threadOrder, self);
        }
      }
      case FUTURE_GET -> {
        if (hasSeenEnd(result)) {
          join(threadOrder, self);
        }
      }
      case FIRST_COMPLETE -> {
        if (result == self) {
          arrivals.acquire(threadOrder, self);
        }
      }
      case DONE_TAKE -> joinEach(threadOrder, result);
      case INVOKE_ALL -> joinAll(threadOrder, self, argument);
      case POOL_INVOKE, POOL_FUTURES, FUTURES, THREAD_FUTURES ->
          joinAll(threadOrder, argument, result);
      case THREAD_JOIN -> joinThread(threadOrder, (Thread) self);
      case EXECUTOR_ADDS_WORKER -> startsWorker.remove();
      case THREADS_START, SCOPE_FORK -> groups.close();
      case EXECUTOR_ENDS, POOL_ENDS -> ended(threadOrder, self, result);
      case THREADS_END, SCOPE_JOIN -> groups.join(threadOrder, self, result);
      case LOOP -> {
        if (entered) {
          loops.exit(threadOrder, self);
        }
      }
      case ARRAY_FUNCTION -> arrayFunctions.over(threadOrder, argument);
      case ACCUMULATE, COMBINE, ORDERED -> {
        if (entered) {
          accumulations.exit(threadOrder, self);
        }
      }
      case STAGE, EITHER_STAGE, FIRE -> {
        if (entered) {
          completions.exit(threadOrder, result);
        }
      }
      case COPY, MINIMAL_COPY -> completions.copied(threadOrder, self, result);
      case COMPOSED -> completions.composed(threadOrder, result);
      case NEW_FUTURE -> completions.created(threadOrder, result);
      case PHASER_ADVANCE -> synchronisers.advance(threadOrder, self);
      case ALL_OF -> completions.allOf(self, result);
      case COMPLETION_WAIT -> {
        if (hasSeenEnd(result)) {
          completions.waited(threadOrder, self);
        }
      }
      case COMPLETION_NOW -> {
        // Else it may be the value for a future that is not complete.
        if (result != argument) {
          completions.waited(threadOrder, self);
        }
      }
      default -> synchronisers.exit(threadOrder, Point.of(number), self, argument, result);
    }
  }

  @Override
  public void fires() {
    ThreadOrder threadOrder = threadOrder();
    if (threadOrder != null) {
      completions.fires(threadOrder);
    }
  }

  /** A task becomes runnable; one that is only handed on keeps the fork it has. */
  private void fork(ThreadOrder threadOrder, Object task, boolean isNew) {
    if (!isFollowed(task)) {
      return;
    }
    if (!isNew && forks.get(task) != null) {
      return;
    }
    Fork fork = fork(threadOrder, Origin.Kind.TASK, task instanceof AsynchronousCompletionTask);
    if (task instanceof CountedCompleter<?> && task.getClass().getClassLoader() == null) {
      fork.belongsElsewhere(); // whatever the library splits, it waits for
    }
    forks.put(task, fork);
  }

  /** A stage that the library hands to a pool is the program's, though nobody called. */
  private Fork fork(ThreadOrder threadOrder, Origin.Kind kind, boolean isStage) {
    Forkers.Forker forker = forkers.now(kind);
    Fork fork = threadOrder.fork(forker.origin());
    if (!forker.isChecked().orElse(isStage) || end.hasBegun()) {
      fork.belongsElsewhere();
    }
    return fork;
  }

  /** The program has ended: the tasks and threads that this may have cut short, in words. */
  public List<String> cutShort(ThreadOrder first) {
    return end.cutShort(first);
  }

  /** A verdict is taken while the program runs: what the thread has not waited for, in words. */
  public List<String> unawaited(ThreadOrder threadOrder) {
    return ProgramEnd.unawaited(threadOrder);
  }

  /** Streams and arrays report their elements; their tasks are how they happen to be split. */
  private static boolean isFollowed(Object task) {
    return !IS_OF_STREAM.get(task.getClass())
        && !task.getClass().getName().startsWith("java.util.Array");
  }

  private boolean enterOfStream(@Nullable Object argument) {
    if (argument instanceof Throwable exception && threadOrder() != null) {
      obstacles.accept("a task that ended with " + exception.getClass().getName(), "");
    }
    return false;
  }

  private void submit(ThreadOrder threadOrder, ForkJoinPool pool, @Nullable Object task) {
    if (task == null || !isFollowed(task)) {
      return;
    }
    // Virtual threads are continued by tasks of a pool of their own: these are not the program's.
    boolean isScheduler =
        pool.getFactory().getClass().getName().startsWith("java.lang.VirtualThread");
    if (task instanceof ForkJoinTask<?> && !isScheduler && forks.get(task) == null) {
      fork(threadOrder, task, false);
      Fork fork = forks.get(task);
      if (fork != null) {
        groups.add(pool, fork);
      }
    }
  }

  private boolean execute(ThreadOrder threadOrder, Object task) {
    Fork fork = forks.get(task);
    if (fork == null) {
      // invokeAll and invoke run a task in the caller without forking it.
      if (task.getClass().getClassLoader() == null) {
        return false;
      }
      fork(threadOrder, task, true);
      fork = forks.get(task);
    }
    if (fork == null || fork.hasBegun()) {
      return false;
    }
    if (Thread.currentThread() instanceof ForkJoinWorkerThread worker) {
      fork.runsIn(worker);
    }
    threadOrder.push(fork);
    return true;
  }

  /**
   * A task is about to be done: by the thread that runs it, or else by whoever completes it, which
   * goes on with what it does itself. Before it is done: who waits for it looks at once.
   */
  private void done(ThreadOrder threadOrder, Object task) {
    Fork fork = threadOrder.fork();
    if (fork != null && fork == forks.get(task)) {
      threadOrder.done();
    } else if (isFollowed(task)) {
      arrivals.arrive(threadOrder, task);
    }
  }

  /** As {@link #complete}, but the completers above it are complete without being asked. */
  private void propagate(ThreadOrder threadOrder, CountedCompleter<?> task) {
    if (!isFollowed(task)) {
      return;
    }
    for (CountedCompleter<?> above = task; above != null; above = above.getCompleter()) {
      arrivals.arrive(threadOrder, above);
    }
    threadOrder.done();
  }

  private void complete(ThreadOrder threadOrder, CountedCompleter<?> task) {
    if (!isFollowed(task)) {
      return;
    }
    arrivals.arrive(threadOrder, task);
    threadOrder.done();
  }

  /**
   * All have arrived at a completer. It runs in the thread of whoever came last, and the one above
   * it has arrived when it is over.
   */
  @Override
  public void complete(CountedCompleter<?> task, CountedCompleter<?> caller) {
    ThreadOrder threadOrder = isFollowed(task) ? threadOrder() : null;
    if (threadOrder == null) {
      task.onCompletion(caller);
      return;
    }
    arrivals.acquire(threadOrder, task);
    try {
      task.onCompletion(caller);
    } finally {
      arrivals.arrive(threadOrder, task);
      arrivals.arrive(threadOrder, task.getCompleter());
    }
  }

  /** Its result is what the program's own code says: it runs before the join is over. */
  @Override
  public void joined(Object task) {
    ThreadOrder threadOrder =
        task instanceof CountedCompleter<?> && isFollowed(task) ? threadOrder() : null;
    if (threadOrder != null) {
      join(threadOrder, task);
    }
  }

  private void join(ThreadOrder threadOrder, Object task) {
    if (task instanceof Future<?> future && !future.isDone()) {
      return;
    }
    Fork fork = forks.get(task);
    // One that somebody else completed may still run.
    if (fork != null && fork.isDone()) {
      threadOrder.join(fork);
    }
    arrivals.acquire(threadOrder, task);
    if (task instanceof CompletableFuture<?>) {
      completions.waited(threadOrder, task);
    }
  }

  /**
   * Whether a call that threw this has not seen the end of what it waited for. That it has ended by
   * now says nothing: it may have done so since.
   */
  private static boolean hasGivenUp(@Nullable Object result) {
    return result instanceof TimeoutException || result instanceof InterruptedException;
  }

  /** As above, of futures that can be asked for their results without waiting. */
  private static boolean hasSeenEnd(@Nullable Object result) {
    return !hasGivenUp(result)
        && (!(result instanceof IllegalStateException) || result instanceof CancellationException);
  }

  private void joinAll(ThreadOrder threadOrder, @Nullable Object one, @Nullable Object other) {
    joinEach(threadOrder, one);
    joinEach(threadOrder, other);
  }

  private void joinEach(ThreadOrder threadOrder, @Nullable Object tasks) {
    if (tasks instanceof Collection<?> all) {
      all.forEach(task -> joinEach(threadOrder, task));
    } else if (tasks instanceof Object[] all) {
      for (Object task : all) {
        joinEach(threadOrder, task);
      }
    } else if (tasks instanceof Future<?>) {
      join(threadOrder, tasks);
    }
  }

  private void start(ThreadOrder threadOrder, Thread thread) {
    boolean isOfTheJdk =
        thread.getClass().getClassLoader() == null
            && thread.getClass() != Thread.class
            && !thread.getClass().getName().equals("java.lang.ThreadBuilders$BoundVirtualThread")
            && !thread.getClass().getName().equals("java.lang.VirtualThread");
    if (thread instanceof ForkJoinWorkerThread
        || isOfTheJdk
        || startsWorker.get() != null
        || forks.get(thread) != null) {
      return;
    }
    Fork fork = fork(threadOrder, Origin.Kind.THREAD, false);
    fork.starts(thread);
    forks.put(thread, fork);
    groups.started(fork);
  }

  private void joinThread(ThreadOrder threadOrder, Thread thread) {
    Fork fork = forks.get(thread);
    if (fork != null && !thread.isAlive()) {
      threadOrder.join(fork);
    }
  }

  private void executeLater(ThreadOrder threadOrder, Object executor, @Nullable Object command) {
    if (command == null) {
      return;
    }
    Fork fork = fork(threadOrder, Origin.Kind.TASK, command instanceof AsynchronousCompletionTask);
    if (command instanceof Future<?>) {
      forks.put(command, fork);
    }
    waiting.add(command, threadOrder, fork);
    if (executor instanceof ThreadPoolExecutor pool) {
      fork.runsIn(pools.get(pool, any -> new Pool(threads(pool))));
    }
    singleThreads.submitted(threadOrder, fork, executor, command);
    groups.add(executor, fork);
  }

  /** How many tasks of the pool may run at once. */
  private static int threads(ThreadPoolExecutor pool) {
    boolean isEverFull = pool.getQueue().remainingCapacity() < Integer.MAX_VALUE;
    return isEverFull ? pool.getMaximumPoolSize() : Math.max(1, pool.getCorePoolSize());
  }

  /** A pool that ends the sleep of virtual threads, or the time of futures. */
  private static boolean wakesForTheLibrary(ThreadPoolExecutor pool) {
    String factory = pool.getThreadFactory().getClass().getName();
    return factory.startsWith("java.lang.VirtualThread")
        || factory.startsWith("java.util.concurrent.CompletableFuture");
  }

  private void rejects(ThreadOrder threadOrder, ThreadPoolExecutor pool, @Nullable Object command) {
    waiting.reject(command, threadOrder);
    if (!pool.isShutdown()) {
      obstacles.accept("a task that came when its pool was full", Stacks.place());
    }
  }

  @Override
  public void run(Runnable task) {
    ThreadOrder threadOrder = threadOrder();
    Fork fork = threadOrder == null ? null : waiting.begin(task);
    if (threadOrder == null || fork == null) {
      act(threadOrder, task);
      return;
    }
    fork.runsIn(Thread.currentThread());
    threadOrder.push(fork);
    singleThreads.begins(threadOrder, fork);
    try {
      task.run();
    } finally {
      threadOrder.pop();
    }
  }

  /** The action of a barrier, if the thread is at one: known to others as soon as they go on. */
  private void act(@Nullable ThreadOrder threadOrder, Runnable action) {
    boolean isAtBarrier = threadOrder != null && synchronisers.beginAction(threadOrder);
    try {
      action.run();
    } finally {
      if (threadOrder != null && isAtBarrier) {
        threadOrder.renew();
      }
    }
  }

  /** A pool has ended: all its tasks have. */
  private void ended(ThreadOrder threadOrder, Object executor, @Nullable Object result) {
    if (Boolean.FALSE.equals(result)) {
      obstacles.accept("a wait for a pool to end gave up after a time", Stacks.place());
      return;
    }
    groups.join(threadOrder, executor, result);
  }

  @Override
  public void failed(Throwable fault) {
    obstacles.accept("a fault in Reprise: " + fault, Stacks.place());
  }

  @Override
  public @Nullable Object function(@Nullable Object function) {
    ThreadOrder threadOrder = threadOrder();
    return threadOrder == null || function == null
        ? function
        : arrayFunctions.follow(threadOrder, function);
  }

  @Override
  public Spliterator<?> traverse(Spliterator<?> elements, Object pipeline, boolean isCancelled) {
    ThreadOrder threadOrder = threadOrder();
    return threadOrder == null
        ? elements
        : loops.traverse(threadOrder, elements, pipeline, isCancelled);
  }
}
