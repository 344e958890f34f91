package org.reprise.anomaly.agent.jdk;

import java.util.List;
import java.util.Set;

/**
 * Methods of the JDK whose beginning and end mean one thing. Public ones where possible: what is
 * below them differs between releases.
 */
enum Point {
  FORK("java/util/concurrent/ForkJoinTask", Set.of("fork")),
  EXECUTE("java/util/concurrent/ForkJoinTask", Set.of("doExec")),
  JOIN(
      "java/util/concurrent/ForkJoinTask",
      Set.of("join", "get", "invoke", "quietlyJoin", "quietlyInvoke")),
  DONE("java/util/concurrent/ForkJoinTask", Set.of("setDone", "trySetThrown")),
  INVOKE_ALL("java/util/concurrent/ForkJoinTask", Set.of("invokeAll")),
  COMPLETE("java/util/concurrent/CountedCompleter", Set.of("tryComplete", "complete")),
  PROPAGATE("java/util/concurrent/CountedCompleter", Set.of("propagateCompletion")),
  FIRST_COMPLETE("java/util/concurrent/CountedCompleter", Set.of("firstComplete")),
  POOL_SUBMIT(
      "java/util/concurrent/ForkJoinPool",
      Set.of("execute", "submit", "externalSubmit", "externalPush", "poolSubmit", "lazySubmit")),
  POOL_INVOKE("java/util/concurrent/ForkJoinPool", Set.of("invoke")),
  THREAD_START("java/lang/Thread", Set.of("start")),
  VIRTUAL_START("java/lang/VirtualThread", Set.of("start")),
  THREAD_JOIN("java/lang/Thread", Set.of("join")),
  UNCAUGHT("java/lang/Thread", Set.of("dispatchUncaughtException")),
  EXIT("java/lang/Runtime", Set.of("exit")),
  HALT("java/lang/Runtime", Set.of("halt")),
  EXECUTOR_EXECUTE("java/util/concurrent/ThreadPoolExecutor", Set.of("execute")),
  SCHEDULE("java/util/concurrent/ScheduledThreadPoolExecutor", Set.of("delayedExecute")),
  EXECUTOR_ADDS_WORKER("java/util/concurrent/ThreadPoolExecutor", Set.of("addWorker")),
  EXECUTOR_REJECTS("java/util/concurrent/ThreadPoolExecutor", Set.of("reject")),
  FUTURE_DONE("java/util/concurrent/FutureTask", Set.of("set", "setException")),
  FUTURE_GET("java/util/concurrent/FutureTask", Set.of("get", "resultNow", "exceptionNow")),
  FUTURES("java/util/concurrent/AbstractExecutorService", Set.of("invokeAll")),
  POOL_FUTURES("java/util/concurrent/ForkJoinPool", Set.of("invokeAll")),
  THREAD_FUTURES("java/util/concurrent/ThreadPerTaskExecutor", Set.of("invokeAll")),
  /** Takes a future that is done, whichever it is. */
  DONE_TAKE("java/util/concurrent/ExecutorCompletionService", Set.of("take", "poll")),
  EXECUTOR_ENDS("java/util/concurrent/ThreadPoolExecutor", Set.of("awaitTermination")),
  POOL_ENDS(
      "java/util/concurrent/ForkJoinPool", Set.of("awaitTermination", "awaitQuiescence", "close")),
  THREADS_START("java/util/concurrent/ThreadPerTaskExecutor", Set.of("start")),
  THREADS_END("java/util/concurrent/ThreadPerTaskExecutor", Set.of("awaitTermination", "close")),
  SCOPE_FORK("java/util/concurrent/StructuredTaskScopeImpl", Set.of("fork")),
  SCOPE_DONE("java/util/concurrent/StructuredTaskScopeImpl", Set.of("onComplete")),
  SCOPE_JOIN("java/util/concurrent/StructuredTaskScopeImpl", Set.of("join")),
  LOOP("java/util/stream/AbstractPipeline", Set.of("evaluate", "evaluateToArrayNode")),
  ARRAY_FUNCTION("java/util/Arrays", Set.of("parallelSort", "parallelPrefix")),
  ACCUMULATE(Families.REDUCING, Set.of("accept")),
  COMBINE(Families.REDUCING, Set.of("combine")),
  ORDERED(Families.FOR_EACH, Set.of("accept")),
  COUNT_DOWN("java/util/concurrent/CountDownLatch", Set.of("countDown")),
  LATCH_AWAIT("java/util/concurrent/CountDownLatch", Set.of("await")),
  BARRIER("java/util/concurrent/CyclicBarrier", Set.of("await")),
  SEMAPHORE_ACQUIRE(
      "java/util/concurrent/Semaphore", Set.of("acquire", "acquireUninterruptibly", "tryAcquire")),
  SEMAPHORE_RELEASE("java/util/concurrent/Semaphore", Set.of("release")),
  PHASER_ARRIVE("java/util/concurrent/Phaser", Set.of("arrive", "arriveAndDeregister")),
  PHASER_MEET("java/util/concurrent/Phaser", Set.of("arriveAndAwaitAdvance")),
  /** A phase is about to end, and what the program does then is called. */
  PHASER_ADVANCE("java/util/concurrent/Phaser", Set.of()),
  PHASER_AWAIT("java/util/concurrent/Phaser", Set.of("awaitAdvance", "awaitAdvanceInterruptibly")),
  EXCHANGE("java/util/concurrent/Exchanger", Set.of("exchange")),
  COMPLETED(
      "java/util/concurrent/CompletableFuture",
      Set.of(
          "completeValue",
          "completeNull",
          "completeThrowable",
          "completeRelay",
          "internalComplete")),
  COMPLETED_BY_HAND(
      "java/util/concurrent/CompletableFuture",
      Set.of("complete", "completeExceptionally", "obtrudeValue", "obtrudeException")),
  /** Returns its argument, unless the future is complete. */
  COMPLETION_NOW("java/util/concurrent/CompletableFuture", Set.of("getNow")),
  COMPLETION_WAIT(
      "java/util/concurrent/CompletableFuture", Set.of("get", "join", "resultNow", "exceptionNow")),
  STAGE(
      "java/util/concurrent/CompletableFuture",
      Set.of(
          "uniApplyStage",
          "uniAcceptStage",
          "uniRunStage",
          "uniWhenCompleteStage",
          "uniHandleStage",
          "uniExceptionallyStage",
          "uniComposeStage",
          "uniComposeExceptionallyStage",
          "biApplyStage",
          "biAcceptStage",
          "biRunStage")),
  EITHER_STAGE(
      "java/util/concurrent/CompletableFuture",
      Set.of("orApplyStage", "orAcceptStage", "orRunStage")),
  COPY("java/util/concurrent/CompletableFuture", Set.of("uniCopyStage", "uniAsMinimalStage")),
  MINIMAL_COPY(
      "java/util/concurrent/CompletableFuture$MinimalStage", Set.of("toCompletableFuture")),
  /** A call of {@code newIncompleteFuture} returns, which a class of the program's may override. */
  NEW_FUTURE("java/util/concurrent/CompletableFuture", Set.of()),
  /** A function returned a stage, which was asked for its future. */
  COMPOSED("java/util/concurrent/CompletableFuture", Set.of()),
  FIRE(Families.COMPLETION, Set.of("tryFire")),
  ALL_OF("java/util/concurrent/CompletableFuture", Set.of("allOf"));

  private static final List<Point> ALL = List.of(values());

  private final String owner;
  private final Set<String> methods;

  Point(String owner, Set<String> methods) {
    this.owner = owner;
    this.methods = methods;
  }

  static Point of(int number) {
    return ALL.get(number);
  }

  String owner() {
    return owner;
  }

  Set<String> methods() {
    return methods;
  }

  /** Whether the method is one of this point's. */
  boolean contains(String className, String name, String descriptor) {
    return Families.family(className).equals(owner) && methods.contains(name) && takes(descriptor);
  }

  private boolean takes(String descriptor) {
    return switch (this) {
      case ARRAY_FUNCTION ->
          descriptor.contains("Ljava/util/Comparator;") || descriptor.contains("BinaryOperator;");
      case POOL_SUBMIT -> descriptor.contains("ForkJoinTask;)");
      case FUTURES, POOL_FUTURES, THREAD_FUTURES ->
          descriptor.startsWith("(Ljava/util/Collection;)");
      case ACCUMULATE ->
          !descriptor.startsWith("(Ljava/lang/Integer;")
              && !descriptor.startsWith("(Ljava/lang/Long;")
              && !descriptor.startsWith("(Ljava/lang/Double;");
      default -> true;
    };
  }
}
