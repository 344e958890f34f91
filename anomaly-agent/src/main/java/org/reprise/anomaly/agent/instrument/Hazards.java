package org.reprise.anomaly.agent.instrument;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Calls whose result or effect may differ between schedules although no variable shows it. Inside a
 * parallel block each of them stands in the way of "validated", by name.
 */
public final class Hazards {
  private static final Map<String, String> BY_METHOD =
      Map.ofEntries(
          Map.entry("java/lang/System.nanoTime", "reads the clock"),
          Map.entry("java/lang/System.currentTimeMillis", "reads the clock"),
          Map.entry("java/time/Instant.now", "reads the clock"),
          Map.entry("java/time/LocalDateTime.now", "reads the clock"),
          Map.entry("java/time/LocalDate.now", "reads the clock"),
          Map.entry("java/time/LocalTime.now", "reads the clock"),
          Map.entry("java/time/ZonedDateTime.now", "reads the clock"),
          Map.entry("java/time/Clock.millis", "reads the clock"),
          Map.entry("java/time/Clock.instant", "reads the clock"),
          Map.entry("java/lang/System.identityHashCode", "depends on addresses"),
          Map.entry("java/lang/Object.hashCode", "depends on addresses"),
          Map.entry("java/lang/Math.random", "is random"),
          Map.entry("java/util/UUID.randomUUID", "is random"),
          Map.entry("java/util/Collections.shuffle", "is random"),
          Map.entry("java/util/concurrent/ThreadLocalRandom.current", "is random"),
          Map.entry("java/lang/Thread.getId", "names the thread"),
          Map.entry("java/lang/Thread.threadId", "names the thread"),
          Map.entry("java/lang/Thread.getName", "names the thread"),
          Map.entry("java/lang/Thread.activeCount", "counts threads"),
          Map.entry("java/lang/Thread.isAlive", "asks whether a thread has ended"),
          Map.entry("java/lang/Thread.getState", "asks what a thread does"),
          Map.entry("java/lang/Thread.interrupt", "interrupts"),
          Map.entry("java/lang/Thread.interrupted", "asks for interrupts"),
          Map.entry("java/lang/Thread.isInterrupted", "asks for interrupts"),
          Map.entry("java/lang/Runtime.availableProcessors", "depends on the machine"),
          Map.entry("java/lang/Runtime.freeMemory", "depends on the machine"),
          Map.entry("java/lang/reflect/Method.invoke", "is reflection"),
          Map.entry("java/lang/reflect/Field.get", "is reflection"),
          Map.entry("java/lang/reflect/Field.set", "is reflection"),
          Map.entry("java/lang/reflect/Constructor.newInstance", "is reflection"),
          Map.entry("java/lang/ThreadLocal.get", "depends on which thread runs the block"),
          Map.entry("java/lang/ThreadLocal.set", "depends on which thread runs the block"),
          Map.entry("java/util/concurrent/CompletableFuture.anyOf", "takes whichever is first"),
          Map.entry(
              "java/util/concurrent/CompletableFuture.applyToEither", "takes whichever is first"),
          Map.entry(
              "java/util/concurrent/CompletableFuture.acceptEither", "takes whichever is first"),
          Map.entry(
              "java/util/concurrent/CompletableFuture.runAfterEither", "takes whichever is first"),
          Map.entry("java/util/concurrent/CompletableFuture.getNow", "asks whether it is done"),
          Map.entry("java/util/concurrent/CompletableFuture.orTimeout", "depends on the time"),
          Map.entry(
              "java/util/concurrent/CompletableFuture.completeOnTimeout", "depends on the time"),
          Map.entry("java/util/concurrent/ForkJoinTask.tryUnfork", "depends on the schedule"),
          Map.entry(
              "java/util/concurrent/ForkJoinTask.isCompletedNormally", "asks whether it is done"),
          Map.entry("java/util/concurrent/CompletionService.take", "takes whichever is first"),
          Map.entry(
              "java/util/concurrent/ExecutorCompletionService.take", "takes whichever is first"),
          Map.entry("java/util/concurrent/Semaphore.tryAcquire", "asks whether there is a permit"),
          Map.entry("java/util/Timer.schedule", "depends on the time"));

  private static final Set<String> ASKING = Set.of("isDone", "isCancelled", "cancel", "invokeAny");

  private static final String CONCURRENT = "java/util/concurrent/";

  private Hazards() {}

  /**
   * What is wrong with calling this in a parallel block, as "call of ... which ..."; or nothing.
   */
  public static Optional<String> of(
      MethodInsnNode call, @Nullable ClassLoader loader, Hierarchy hierarchy, Scope scope) {
    if (call.owner.startsWith("[")) {
      return Optional.empty();
    }
    String className = call.owner.replace('/', '.');
    String name = OperandNames.shortName(call.owner) + "." + call.name + "()";
    if (!Scope.isLibrary(className)) {
      if (!scope.contains(className)) {
        return Optional.of("call of " + name + ", which is not instrumented");
      }
      return isNative(call, loader, hierarchy)
          ? Optional.of("call of " + name + ", which is native")
          : Optional.empty();
    }
    return why(call).map(why -> "call of " + name + ", which " + why);
  }

  private static Optional<String> why(MethodInsnNode call) {
    String known = BY_METHOD.get(call.owner + "." + call.name);
    if (known != null) {
      return Optional.of(known);
    }
    if (call.owner.equals("java/util/Random")
        && call.name.equals("<init>")
        && call.desc.equals("()V")) {
      return Optional.of("is seeded from the clock");
    }
    if (call.owner.equals("java/lang/invoke/VarHandle") || call.owner.endsWith("/Unsafe")) {
      return Optional.of("accesses variables past the checks");
    }
    if (call.owner.startsWith(CONCURRENT) && ASKING.contains(call.name)) {
      return Optional.of("depends on the schedule");
    }
    boolean timed =
        call.desc.contains("Ljava/util/concurrent/TimeUnit;") && !call.name.equals("<init>");
    boolean timedJoin =
        call.owner.equals("java/lang/Thread")
            && call.name.equals("join")
            && !call.desc.equals("()V");
    boolean timedWait = call.name.equals("wait") && call.desc.startsWith("(J");
    if ((timed && call.owner.startsWith(CONCURRENT)) || timedJoin || timedWait) {
      return Optional.of("gives up after a time");
    }
    return Optional.empty();
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
