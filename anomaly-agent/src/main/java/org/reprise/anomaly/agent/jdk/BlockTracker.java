package org.reprise.anomaly.agent.jdk;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import org.reprise.anomaly.agent.block.Release;
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
  private final IdentityTable<Object, Release> releases = new IdentityTable<>();
  private final Object arrivals = new Object();
  private final SingleThreads singleThreads = new SingleThreads();
  private final IdentityTable<Object, Deque<Submitted>> waiting = new IdentityTable<>();
  private final IdentityTable<Object, List<Fork>> groups = new IdentityTable<>();
  private final Loops loops;
  private final Accumulations accumulations = new Accumulations();
  private final ArrayFunctions arrayFunctions;
  private final Synchronisers synchronisers;
  private final Completions completions;
  private final Supplier<@Nullable ThreadOrder> threadOrders;
  private final BiConsumer<String, String> obstacles;
  private final Ending ending;
  private final Forkers forkers;
  private final Thread firstThread = Thread.currentThread();

  /** Who ends the virtual machine, if somebody does. */
  private volatile @Nullable ThreadOrder exiting;

  /** The group that threads started now belong to, per thread that starts them. */
  private final ThreadLocal<@Nullable List<Fork>> group = new ThreadLocal<>();

  /** Set while a pool starts a thread for itself. */
  private final ThreadLocal<@Nullable Boolean> startsWorker = new ThreadLocal<>();

  /**
   * The tracker of a program.
   *
   * @param trusted gets the name of code that forks and that the user trusts
   */
  public BlockTracker(
      BiConsumer<String, String> obstacles, Ending ending, Scope scope, Consumer<String> trusted) {
    this(obstacles, ending, new Forkers(scope, obstacles, trusted), BlockTracker::strandOfThread);
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
    this.ending = ending;
    this.synchronisers = new Synchronisers(obstacles);
    this.completions = new Completions(obstacles);
    this.loops = new Loops(obstacles, forkers);
  }

  /** Where the program is at a site, by its number. */
  public void findPlacesWith(IntFunction<String> places) {
    loops.findPlacesWith(places);
  }

  /** From now on each iteration of a loop tells what it does when it has done it. */
  public void neverAsk() {
    loops.neverAsk();
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

  private static @Nullable ThreadOrder strandOfThread() {
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
          arrive(threadOrder, self);
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
      case THREADS_START, SCOPE_FORK -> group.set(groups.get(self, any -> new ArrayList<>()));
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
      case UNCAUGHT -> uncaught((Thread) self, argument);
      case EXIT -> {
        exiting = threadOrder;
        ending.exits(status(argument));
      }
      case HALT -> {
        exiting = threadOrder;
        ending.halts(status(argument));
      }
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
          acquire(threadOrder, self);
        }
      }
      case DONE_TAKE -> joinEach(threadOrder, result);
      case INVOKE_ALL -> joinAll(threadOrder, self, argument);
      case POOL_INVOKE, POOL_FUTURES, FUTURES, THREAD_FUTURES ->
          joinAll(threadOrder, argument, result);
      case THREAD_JOIN -> joinThread(threadOrder, (Thread) self);
      case EXECUTOR_ADDS_WORKER -> startsWorker.remove();
      case THREADS_START, SCOPE_FORK -> group.remove();
      case EXECUTOR_ENDS, POOL_ENDS -> ended(threadOrder, self, result);
      case THREADS_END, SCOPE_JOIN -> joinGroup(threadOrder, self, result);
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
    if (!forker.isChecked().orElse(isStage) || exiting != null) {
      fork.belongsElsewhere();
    }
    return fork;
  }

  /** The program has ended: the tasks and threads that this may have cut short, in words. */
  public List<String> cutShort(ThreadOrder first) {
    ThreadOrder last = exiting;
    return inWords(
        last == null ? first.cutShort(false) : last.cutShort(true),
        "need not have ended when the program ends");
  }

  /**
   * A verdict is taken while the program runs: the tasks and threads that the thread has not waited
   * for, in words. What they are still going to do is not in the verdict. One that has ended is
   * named in one verdict only; the next is not about it.
   */
  public List<String> unawaited(ThreadOrder threadOrder) {
    List<Fork> left =
        threadOrder.cutShort(true).stream()
            .filter(fork -> !threadOrder.isIn(fork) && (fork.isNamedFirst() || fork.mayGoOn()))
            .toList();
    return inWords(left, "need not have ended when the verdict is taken");
  }

  private static List<String> inWords(List<Fork> forks, String what) {
    Map<Origin, Long> counts = new LinkedHashMap<>();
    forks.forEach(fork -> counts.merge(fork.origin(), 1L, Long::sum));
    return counts.entrySet().stream()
        .map(each -> each.getKey().count(each.getValue()) + " " + what)
        .toList();
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
        addToGroup(pool, fork);
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
      arrive(threadOrder, task);
    }
  }

  /** As {@link #complete}, but the completers above it are complete without being asked. */
  private void propagate(ThreadOrder threadOrder, CountedCompleter<?> task) {
    if (!isFollowed(task)) {
      return;
    }
    for (CountedCompleter<?> above = task; above != null; above = above.getCompleter()) {
      arrive(threadOrder, above);
    }
    threadOrder.done();
  }

  private void complete(ThreadOrder threadOrder, CountedCompleter<?> task) {
    if (!isFollowed(task)) {
      return;
    }
    arrive(threadOrder, task);
    threadOrder.done();
  }

  /**
   * What the thread did so far is before what happens once all have arrived at the task. Two may
   * arrive at once, and neither may be lost.
   */
  private void arrive(ThreadOrder threadOrder, @Nullable Object task) {
    if (task != null) {
      Release release = threadOrder.release();
      synchronized (arrivals) {
        releases.put(task, releases.get(task, any -> Release.NONE).and(release));
      }
    }
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
    acquire(threadOrder, task);
    try {
      task.onCompletion(caller);
    } finally {
      arrive(threadOrder, task);
      arrive(threadOrder, task.getCompleter());
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
    acquire(threadOrder, task);
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

  /** What arrived at a task is before what the thread does now. */
  private void acquire(ThreadOrder threadOrder, Object task) {
    Release release = releases.get(task);
    if (release != null) {
      threadOrder.acquire(release);
    }
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
    List<Fork> started = group.get();
    if (started != null) {
      synchronized (started) {
        started.add(fork);
      }
    }
  }

  private void joinThread(ThreadOrder threadOrder, Thread thread) {
    Fork fork = forks.get(thread);
    if (fork != null && !thread.isAlive()) {
      threadOrder.join(fork);
    }
  }

  private void joinGroup(ThreadOrder threadOrder, Object owner, @Nullable Object result) {
    List<Fork> started = groups.get(owner);
    if (started == null || Boolean.FALSE.equals(result) || result instanceof Throwable) {
      return;
    }
    List<Fork> all;
    synchronized (started) {
      all = List.copyOf(started);
      started.clear();
    }
    all.forEach(threadOrder::join);
  }

  private void executeLater(ThreadOrder threadOrder, Object executor, @Nullable Object command) {
    if (command == null) {
      return;
    }
    Fork fork = fork(threadOrder, Origin.Kind.TASK, command instanceof AsynchronousCompletionTask);
    if (command instanceof Future<?>) {
      forks.put(command, fork);
    }
    Deque<Submitted> queue = waiting.get(command, any -> new ArrayDeque<>());
    synchronized (queue) {
      queue.add(new Submitted(threadOrder, fork));
    }
    singleThreads.submitted(threadOrder, fork, executor, command);
    addToGroup(executor, fork);
  }

  /** A pool that ends the sleep of virtual threads, or the time of futures. */
  private static boolean wakesForTheLibrary(ThreadPoolExecutor pool) {
    String factory = pool.getThreadFactory().getClass().getName();
    return factory.startsWith("java.lang.VirtualThread")
        || factory.startsWith("java.util.concurrent.CompletableFuture");
  }

  private void addToGroup(Object executor, Fork fork) {
    List<Fork> all = groups.get(executor, any -> new ArrayList<>());
    synchronized (all) {
      if (Integer.bitCount(all.size()) == 1) {
        all.removeIf(Fork::isJoined);
      }
      all.add(fork);
    }
  }

  /** A command that waits for a worker, and who handed it over. */
  private record Submitted(ThreadOrder by, Fork fork) {}

  private void rejects(ThreadOrder threadOrder, ThreadPoolExecutor pool, @Nullable Object command) {
    Deque<Submitted> queue = command == null ? null : waiting.get(command);
    if (queue != null) {
      synchronized (queue) {
        Iterator<Submitted> last = queue.descendingIterator();
        while (last.hasNext()) {
          Submitted submitted = last.next();
          if (submitted.by() == threadOrder) { // others may have handed over the same command
            last.remove();
            submitted.fork().belongsElsewhere();
            break;
          }
        }
      }
    }
    if (!pool.isShutdown()) {
      obstacles.accept("a task that came when its pool was full", Stacks.place());
    }
  }

  @Override
  public void run(Runnable task) {
    ThreadOrder threadOrder = threadOrder();
    Fork fork = threadOrder == null ? null : next(task);
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

  private @Nullable Fork next(Runnable task) {
    Deque<Submitted> queue = waiting.get(task);
    if (queue == null) {
      return null;
    }
    synchronized (queue) {
      Submitted next = queue.poll();
      return next == null ? null : next.fork();
    }
  }

  private void uncaught(Thread thread, @Nullable Object exception) {
    if (exception instanceof Throwable uncaught) {
      if (thread == firstThread) {
        ending.failed(uncaught);
      } else {
        obstacles.accept("a thread that ended with " + uncaught.getClass().getName(), "");
      }
    }
  }

  private static int status(@Nullable Object argument) {
    return argument instanceof Integer status ? status : 0;
  }

  /** A pool has ended: all its tasks have. */
  private void ended(ThreadOrder threadOrder, Object executor, @Nullable Object result) {
    if (Boolean.FALSE.equals(result)) {
      obstacles.accept("a wait for a pool to end gave up after a time", Stacks.place());
      return;
    }
    joinGroup(threadOrder, executor, result);
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
