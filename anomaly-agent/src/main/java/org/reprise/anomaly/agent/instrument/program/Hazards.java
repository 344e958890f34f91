package org.reprise.anomaly.agent.instrument.program;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Calls whose result or effect may differ between schedules although no variable shows it. Each of
 * them prevents validation, by name.
 */
public final class Hazards {
  /** Where a call is a hazard. */
  public enum Reach {
    /**
     * In parallel blocks: the first thread does it on every schedule, and no other in its place.
     */
    IN_BLOCKS,
    /** By the first thread too, while blocks run beside it: it asks how far they are. */
    BESIDE_BLOCKS,
    /** Everywhere: what it starts, or makes, depends on the schedule by itself. */
    EVERYWHERE
  }

  /**
   * A call that may differ between schedules.
   *
   * @param text as "call of ..., which ..."
   */
  public record Hazard(String text, Reach reach) {}

  /** How the text of a call ends whose method is in a class that is not instrumented. */
  public static final String NOT_INSTRUMENTED = ", which is not instrumented";

  private static final String TAKES_FIRST = "takes whichever is first";

  private static final String REPLACES = "replaces a result that others may have taken";

  private static final String OF_ALL = "changes what the whole program sees";

  private static final String OF_THREAD = "depends on which thread runs the block";
  private static final String STACK = OF_THREAD;

  private static final String PROGRAM = "starts another program, which is not followed";

  private static final String NETWORK = "asks another machine";

  private static final String COLLECTOR = "depends on the garbage collector";

  private static final String LOGS = "writes to a log in the order in which blocks come to it";

  /** Classes that get and set fields, or elements, that are chosen while the program runs. */
  private static final Set<String> REFLECTION =
      Set.of("java/lang/reflect/Field", "java/lang/reflect/Array");

  /** What such methods have instead of names of their own, after get and set. */
  private static final Set<String> KINDS =
      Set.of("", "Boolean", "Byte", "Char", "Short", "Int", "Long", "Float", "Double");

  /** What depends on who does it, and when. */
  private static final Map<String, String> OF_THE_BLOCK =
      Map.ofEntries(
          Map.entry("java/lang/System.nanoTime", "reads the clock"),
          Map.entry("java/lang/System.currentTimeMillis", "reads the clock"),
          Map.entry("java/time/Clock.millis", "reads the clock"),
          Map.entry("java/time/Clock.instant", "reads the clock"),
          Map.entry("java/time/InstantSource.millis", "reads the clock"),
          Map.entry("java/time/InstantSource.instant", "reads the clock"),
          Map.entry("java/lang/System.identityHashCode", "depends on addresses"),
          Map.entry("java/lang/Object.hashCode", "depends on addresses"),
          Map.entry("java/lang/Math.random", "is random"),
          Map.entry("java/util/UUID.randomUUID", "is random"),
          Map.entry("java/nio/file/Files.createTempFile", "makes a random name"),
          Map.entry("java/nio/file/Files.createTempDirectory", "makes a random name"),
          Map.entry("java/io/File.createTempFile", "makes a random name"),
          Map.entry("java/util/Calendar.getInstance", "reads the clock"),
          Map.entry("java/util/Collections.shuffle", "is random"),
          Map.entry("java/util/concurrent/ThreadLocalRandom.current", "is random"),
          Map.entry("java/lang/Thread.getId", "names the thread"),
          Map.entry("java/lang/Thread.threadId", "names the thread"),
          Map.entry("java/lang/Thread.getName", "names the thread"),
          Map.entry("java/lang/Thread.toString", "names the thread"),
          Map.entry("java/lang/Thread.getAllStackTraces", STACK),
          Map.entry("java/lang/Thread.getThreadGroup", OF_THREAD),
          Map.entry("java/lang/Thread.isDaemon", OF_THREAD),
          Map.entry("java/util/concurrent/ForkJoinTask.inForkJoinPool", OF_THREAD),
          Map.entry("java/util/concurrent/ForkJoinTask.getPool", OF_THREAD),
          Map.entry("java/util/concurrent/ForkJoinWorkerThread.getPoolIndex", OF_THREAD),
          Map.entry("java/lang/Thread.getStackTrace", STACK),
          Map.entry("java/lang/Throwable.getStackTrace", STACK),
          Map.entry("java/lang/StackWalker.walk", STACK),
          Map.entry("java/lang/StackWalker.forEach", STACK),
          Map.entry("java/lang/ref/Reference.get", COLLECTOR),
          Map.entry("java/lang/ref/WeakReference.get", COLLECTOR),
          Map.entry("java/lang/ref/Reference.refersTo", COLLECTOR),
          Map.entry("java/lang/ref/WeakReference.refersTo", COLLECTOR),
          Map.entry("java/lang/ref/SoftReference.get", COLLECTOR),
          Map.entry("java/lang/ref/ReferenceQueue.poll", COLLECTOR),
          Map.entry("java/lang/ref/ReferenceQueue.remove", COLLECTOR),
          Map.entry("java/lang/Thread.interrupt", "interrupts"),
          Map.entry("java/lang/Runtime.availableProcessors", "depends on the machine"),
          Map.entry("java/lang/Runtime.freeMemory", "depends on the machine"),
          Map.entry("java/lang/Runtime.totalMemory", "depends on the machine"),
          Map.entry("java/lang/reflect/Method.invoke", "is reflection"),
          Map.entry("java/lang/invoke/MethodHandle.invoke", "is reflection"),
          Map.entry("java/lang/invoke/MethodHandle.invokeExact", "is reflection"),
          Map.entry("java/lang/invoke/MethodHandle.invokeWithArguments", "is reflection"),
          Map.entry("java/lang/ProcessBuilder.start", PROGRAM),
          Map.entry("java/lang/ProcessBuilder.startPipeline", PROGRAM),
          Map.entry("java/lang/Runtime.exec", PROGRAM),
          Map.entry("java/net/URL.openStream", NETWORK),
          Map.entry("java/net/URL.openConnection", NETWORK),
          Map.entry("java/net/URL.getContent", NETWORK),
          Map.entry("java/net/http/HttpClient.send", NETWORK),
          Map.entry("java/net/http/HttpClient.sendAsync", NETWORK),
          Map.entry("java/util/logging/Logger.info", LOGS),
          Map.entry("java/util/logging/Logger.warning", LOGS),
          Map.entry("java/util/logging/Logger.severe", LOGS),
          Map.entry("java/util/logging/Logger.log", LOGS),
          Map.entry("java/lang/System$Logger.log", LOGS),
          Map.entry("java/lang/reflect/Constructor.newInstance", "is reflection"),
          Map.entry("java/lang/ThreadLocal.get", OF_THREAD),
          Map.entry("java/lang/ThreadLocal.set", OF_THREAD),
          Map.entry("java/util/concurrent/CompletableFuture.orTimeout", "depends on the time"),
          Map.entry("java/util/Map$Entry.setValue", "changes a map past the checks"));

  /** What asks how far others are, or changes what they see. */
  private static final Map<String, String> OF_OTHERS =
      Map.ofEntries(
          Map.entry("java/lang/System.clearProperty", OF_ALL),
          Map.entry("java/security/Security.addProvider", OF_ALL),
          Map.entry("java/security/Security.insertProviderAt", OF_ALL),
          Map.entry("java/security/Security.removeProvider", OF_ALL),
          Map.entry("java/sql/DriverManager.registerDriver", OF_ALL),
          Map.entry("java/sql/DriverManager.deregisterDriver", OF_ALL),
          Map.entry("java/lang/Process.isAlive", "asks whether a process has ended"),
          Map.entry("java/util/concurrent/CompletableFuture.obtrudeValue", REPLACES),
          Map.entry("java/util/concurrent/CompletableFuture.obtrudeException", REPLACES),
          Map.entry(
              "java/util/concurrent/CompletableFuture.getNumberOfDependents",
              "asks how far others are"),
          Map.entry("java/lang/Thread.activeCount", "counts threads"),
          Map.entry("java/lang/Thread.isAlive", "asks whether a thread has ended"),
          Map.entry("java/lang/Thread.getState", "asks what a thread does"),
          Map.entry("java/lang/Thread.interrupted", "asks for interrupts"),
          Map.entry("java/lang/Thread.isInterrupted", "asks for interrupts"),
          Map.entry("java/util/concurrent/CompletableFuture.anyOf", TAKES_FIRST),
          Map.entry("java/util/concurrent/CompletableFuture.applyToEither", TAKES_FIRST),
          Map.entry("java/util/concurrent/CompletableFuture.acceptEither", TAKES_FIRST),
          Map.entry("java/util/concurrent/CompletableFuture.runAfterEither", TAKES_FIRST),
          Map.entry("java/util/concurrent/CompletableFuture.getNow", "asks whether it is done"),
          Map.entry("java/util/concurrent/ForkJoinTask.tryUnfork", "depends on the schedule"),
          Map.entry(
              "java/util/concurrent/ForkJoinTask.isCompletedNormally", "asks whether it is done"),
          Map.entry("java/util/concurrent/ForkJoinTask.getRawResult", "asks whether it is done"),
          Map.entry("java/util/concurrent/RecursiveTask.getRawResult", "asks whether it is done"),
          Map.entry("java/util/concurrent/CompletionService.take", TAKES_FIRST),
          Map.entry("java/util/concurrent/ExecutorCompletionService.take", TAKES_FIRST),
          Map.entry("java/util/concurrent/Semaphore.tryAcquire", "asks whether there is a permit"),
          Map.entry("java/util/concurrent/CompletionService.poll", TAKES_FIRST),
          Map.entry("java/util/concurrent/ExecutorCompletionService.poll", TAKES_FIRST),
          Map.entry("java/util/concurrent/CountDownLatch.getCount", "asks how far others are"),
          Map.entry(
              "java/util/concurrent/CyclicBarrier.getNumberWaiting", "asks how far others are"),
          Map.entry("java/util/concurrent/Phaser.getArrivedParties", "asks how far others are"),
          Map.entry("java/util/concurrent/Phaser.getUnarrivedParties", "asks how far others are"),
          Map.entry(
              "java/util/concurrent/Semaphore.availablePermits", "asks whether there is a permit"),
          Map.entry(
              "java/util/concurrent/Semaphore.drainPermits", "asks whether there is a permit"),
          Map.entry(
              "java/util/concurrent/CompletableFuture.isCompletedExceptionally",
              "asks whether it is done"),
          Map.entry(
              "java/util/concurrent/ForkJoinTask.isCompletedAbnormally",
              "asks whether it is done"));

  /** What depends on the schedule wherever it is called. */
  private static final Map<String, String> BY_ITSELF =
      Map.ofEntries(
          Map.entry("java/util/Timer.schedule", "runs a task when its time has come"),
          Map.entry("java/util/Timer.scheduleAtFixedRate", "runs a task when its time has come"),
          Map.entry(
              "java/util/concurrent/CompletableFuture.delayedExecutor",
              "runs tasks when their time has come"),
          Map.entry(
              "java/util/concurrent/CompletableFuture.completeOnTimeout", "depends on the time"),
          Map.entry(
              "java/util/concurrent/StructuredTaskScope$Joiner.anySuccessfulResultOrThrow",
              TAKES_FIRST),
          Map.entry("java/lang/Runtime.addShutdownHook", "runs a thread after the verdict"),
          Map.entry(
              "java/lang/invoke/MethodHandles$Lookup.defineHiddenClass",
              "makes a class that cannot be instrumented"),
          Map.entry("java/util/concurrent/ConcurrentHashMap.search", TAKES_FIRST),
          Map.entry("java/util/concurrent/ConcurrentHashMap.searchKeys", TAKES_FIRST),
          Map.entry("java/util/concurrent/ConcurrentHashMap.searchValues", TAKES_FIRST),
          Map.entry("java/util/concurrent/ConcurrentHashMap.searchEntries", TAKES_FIRST),
          Map.entry(
              "java/util/concurrent/atomic/DoubleAdder.<init>",
              "adds floating-point numbers in the order in which they come"));

  private static final Set<String> ASKING =
      Set.of(
          "isDone",
          "isCancelled",
          "cancel",
          "state",
          "getPhase",
          "isTerminated",
          "shutdownNow",
          "isQuiescent",
          "tryLock",
          "tryReadLock",
          "tryWriteLock",
          "tryOptimisticRead",
          "validate",
          "tryConvertToReadLock",
          "tryConvertToWriteLock",
          "tryConvertToOptimisticRead",
          "isLocked",
          "isReadLocked",
          "isWriteLocked",
          "getCompletedTaskCount",
          "getActiveCount",
          "getPoolSize",
          "getLargestPoolSize",
          "getTaskCount",
          "getQueueLength",
          "hasQueuedThreads",
          "getActiveThreadCount",
          "getRunningThreadCount",
          "getSurplusQueuedTaskCount",
          "getQueuedSubmissionCount",
          "hasQueuedSubmissions",
          "getQueuedTaskCount",
          "getStealCount");

  /** Classes whose static methods that set something set it in an argument. */
  private static final Set<String> OF_ARGUMENTS =
      Set.of("java/util/Arrays", "java/lang/reflect/Array", "java/nio/file/Files");

  private static final Set<String> SCHEDULING =
      Set.of("schedule", "scheduleAtFixedRate", "scheduleWithFixedDelay");

  private static final Set<String> ACCUMULATORS =
      Set.of(
          "java/util/concurrent/atomic/LongAccumulator",
          "java/util/concurrent/atomic/DoubleAccumulator");

  /** Collectors whose result is the same in whatever order elements come. */
  private static final Set<String> UNORDERED =
      Set.of(
          "counting",
          "summingInt",
          "summingLong",
          "averagingInt",
          "averagingLong",
          "summarizingInt",
          "summarizingLong",
          "toSet",
          "toUnmodifiableSet");

  private static final String CONCURRENT = "java/util/concurrent/";

  private Hazards() {}

  /** What is wrong with this call; or nothing. */
  public static Optional<Hazard> of(
      MethodInsnNode call, @Nullable ClassLoader loader, Hierarchy hierarchy, Scope scope) {
    if (call.owner.startsWith("[")) {
      return Optional.empty();
    }
    String type = OperandNames.shortName(call.owner);
    String name =
        call.name.equals("<init>")
            ? "new " + type + "()"
            : "call of " + type + "." + call.name + "()";
    // Who implements an interface says so itself.
    if (call.getOpcode() != Opcodes.INVOKEINTERFACE && isOutside(call.owner, scope)) {
      return Optional.of(new Hazard(name + NOT_INSTRUMENTED, Reach.BESIDE_BLOCKS));
    }
    // A task or a thread of the program's own has methods of the library.
    String owner =
        isLibrary(call.owner)
            ? call.owner
            : hierarchy.declaring(loader, call.owner, call.name, call.desc);
    if (!isLibrary(owner)) {
      return isNative(call, loader, hierarchy)
          ? Optional.of(new Hazard(name + ", which is native", Reach.IN_BLOCKS))
          : Optional.empty();
    }
    return byItself(owner, call)
        .map(why -> new Hazard(name + ", which " + why, Reach.EVERYWHERE))
        .or(
            () ->
                ofOthers(owner, call)
                    .map(why -> new Hazard(name + ", which " + why, Reach.BESIDE_BLOCKS)))
        .or(
            () ->
                ofTheBlock(owner, call)
                    .map(why -> new Hazard(name + ", which " + why, Reach.IN_BLOCKS)));
  }

  private static boolean isLibrary(String owner) {
    return Scope.isLibrary(owner.replace('/', '.'));
  }

  private static boolean isOutside(String owner, Scope scope) {
    String className = owner.replace('/', '.');
    return scope.isOutside(className) && scope.trustedAs(className).isEmpty();
  }

  private static Optional<String> byItself(String owner, MethodInsnNode call) {
    if (owner.startsWith(CONCURRENT) && SCHEDULING.contains(call.name)) {
      return Optional.of("runs a task when its time has come");
    }
    if (owner.startsWith(CONCURRENT) && call.name.equals("invokeAny")) {
      return Optional.of(TAKES_FIRST);
    }
    if (owner.equals("java/util/concurrent/CyclicBarrier")
        && call.name.equals("await")
        && LibraryCalls.use(call).startsWith(":used")) {
      return Optional.of("says in which order threads came");
    }
    if (ACCUMULATORS.contains(owner) && call.name.equals("<init>")) {
      return LibraryCalls.commutes(call)
          ? Optional.empty()
          : Optional.of("accumulates by a function that is not known to commute");
    }
    if (owner.equals("java/util/concurrent/ConcurrentHashMap") && call.name.startsWith("reduce")) {
      return LibraryCalls.commutes(call) || LibraryCalls.isGiven(call, Long.MAX_VALUE)
          ? Optional.empty()
          : Optional.of(
              "combines in an order schedule-dependent, by a function not known to commute");
    }
    if (owner.equals("java/util/Arrays")
        && call.name.equals("parallelPrefix")
        && call.desc.startsWith("([D")
        && !LibraryCalls.takesExtreme(call)) {
      return Optional.of("adds floating-point numbers in parts that depend on the worker count");
    }
    if (owner.equals("java/util/stream/Collectors")) {
      boolean ordered =
          switch (call.name) {
            case "groupingByConcurrent" -> !UNORDERED.contains(LibraryCalls.madeBefore(call));
            case "toConcurrentMap" ->
                call.desc.contains("BinaryOperator") && !LibraryCalls.commutes(call);
            default -> false;
          };
      return ordered
          ? Optional.of("collects elements in the order in which they come")
          : Optional.empty();
    }
    return Optional.ofNullable(BY_ITSELF.get(owner + "." + call.name));
  }

  private static Optional<String> ofOthers(String owner, MethodInsnNode call) {
    boolean isOnObject = call.getOpcode() != Opcodes.INVOKESTATIC;
    if (isOnObject && owner.startsWith("java/nio/") && owner.endsWith("Buffer")) {
      return Optional.of("accesses a buffer, whose elements are not followed");
    }
    if (owner.equals("java/lang/foreign/MemorySegment") && changesMemory(call)) {
      return Optional.of("accesses memory whose elements are not followed");
    }
    if (isOnObject && owner.startsWith("java/nio/channels/")) {
      return Optional.of("uses a channel, which is not followed");
    }
    if (isOnObject && owner.startsWith("java/net/") && owner.endsWith("Socket")) {
      return Optional.of("uses a connection, which is not followed");
    }
    if (!isOnObject && call.name.startsWith("set") && !OF_ARGUMENTS.contains(owner)) {
      return Optional.of(OF_ALL);
    }
    return owner.startsWith(CONCURRENT) && ASKING.contains(call.name)
        ? Optional.of("depends on the schedule")
        : Optional.ofNullable(OF_OTHERS.get(owner + "." + call.name));
  }

  private static Optional<String> ofTheBlock(String owner, MethodInsnNode call) {
    String known = OF_THE_BLOCK.get(owner + "." + call.name);
    if (known != null) {
      return Optional.of(known);
    }
    if (REFLECTION.contains(owner)
        && (call.name.startsWith("get") || call.name.startsWith("set"))
        && KINDS.contains(call.name.substring(3))) {
      return Optional.of("is reflection");
    }
    boolean isDefault = call.name.equals("<init>") && call.desc.equals("()V");
    if (owner.equals("java/util/Random") && isDefault) {
      return Optional.of("is seeded from the clock");
    }
    if (owner.equals("java/security/SecureRandom")) {
      return Optional.of("is random");
    }
    if (owner.startsWith("java/lang/management/") || owner.startsWith("com/sun/management/")) {
      return Optional.of("depends on the machine");
    }
    boolean isDate = owner.equals("java/util/Date") || owner.equals("java/util/GregorianCalendar");
    if ((isDate && isDefault) || (owner.startsWith("java/time/") && call.name.equals("now"))) {
      return Optional.of("reads the clock");
    }
    if (owner.equals("java/lang/invoke/VarHandle") || owner.endsWith("/Unsafe")) {
      return Optional.of("accesses variables past the checks");
    }
    boolean timed =
        call.desc.contains("Ljava/util/concurrent/TimeUnit;") && !call.name.equals("<init>");
    boolean timedJoin =
        owner.equals("java/lang/Thread") && call.name.equals("join") && !call.desc.equals("()V");
    boolean timedWait = call.name.equals("wait") && call.desc.startsWith("(J");
    if ((timed && owner.startsWith(CONCURRENT)) || timedJoin || timedWait) {
      return Optional.of("gives up after a time");
    }
    return Optional.empty();
  }

  /** Whether the call reads or changes the segment that it is called on, or is given. */
  private static boolean changesMemory(MethodInsnNode call) {
    return call.name.startsWith("get")
        || call.name.startsWith("set")
        || call.name.equals("fill")
        || call.name.startsWith("copy")
        || call.name.equals("mismatch")
        || call.name.equals("asByteBuffer")
        || call.name.equals("toArray");
  }

  private static boolean isNative(
      MethodInsnNode call, @Nullable ClassLoader loader, Hierarchy hierarchy) {
    return hierarchy.find(loader, call.owner).stream()
        .flatMap(node -> node.methods.stream())
        .anyMatch(
            method ->
                method.name.equals(call.name)
                    && method.desc.equals(call.desc)
                    && (method.access & Opcodes.ACC_NATIVE) != 0);
  }
}
