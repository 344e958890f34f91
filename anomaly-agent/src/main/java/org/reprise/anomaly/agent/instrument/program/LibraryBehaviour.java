package org.reprise.anomaly.agent.instrument.program;

import java.util.List;
import java.util.Set;

/** What calls of the library mean to an analysis of the whole program, by class and method. */
final class LibraryBehaviour {
  /** Classes of packages that start no threads by themselves, or say so below. */
  private static final List<String> KNOWN =
      List.of("java/lang/", "java/util/", "java/io/", "java/math/", "java/text/", "java/time/");

  /** Of {@code java.util.concurrent}: what neither starts threads nor hands tasks to them. */
  private static final List<String> WITHOUT_TASKS =
      List.of(
          "atomic/",
          "locks/",
          "ConcurrentHashMap",
          "ConcurrentLinked",
          "ConcurrentSkipList",
          "ConcurrentMap",
          "CopyOnWrite",
          "ThreadLocalRandom",
          "TimeUnit");

  /** What waits for the tasks that it hands out. */
  private static final Set<String> WAITING =
      Set.of(
          "java/util/concurrent/ForkJoinPool.commonPool",
          "java/util/concurrent/ForkJoinPool.getCommonPoolParallelism",
          "java/util/concurrent/ForkJoinPool.invoke",
          "java/util/concurrent/ForkJoinTask.invokeAll",
          "java/util/concurrent/ForkJoinTask.invoke",
          "java/util/concurrent/ForkJoinTask.<init>",
          "java/util/concurrent/RecursiveAction.<init>",
          "java/util/concurrent/RecursiveTask.<init>");

  /** By these, code runs or fields change that no analysis of calls and fields sees. */
  private static final List<String> UNSEEN =
      List.of(
          "java/lang/reflect/",
          "java/lang/invoke/",
          "java/lang/ClassLoader",
          "java/lang/Class.forName",
          "java/lang/Class.newInstance",
          "java/lang/Module",
          "java/util/ServiceLoader",
          "java/io/ObjectInput",
          "java/util/concurrent/atomic/AtomicIntegerFieldUpdater",
          "java/util/concurrent/atomic/AtomicLongFieldUpdater",
          "java/util/concurrent/atomic/AtomicReferenceFieldUpdater",
          "jdk/internal/",
          "sun/misc/Unsafe");

  /** These run the program's code when they like. */
  private static final List<String> LEFT_RUNNING =
      List.of(
          "java/lang/Thread.start",
          "java/lang/Thread.of",
          "java/lang/ThreadBuilders",
          "java/lang/Thread$Builder",
          "java/lang/Runtime.addShutdownHook",
          "java/lang/ref/Cleaner",
          "java/util/Timer",
          "java/util/concurrent/");

  private LibraryBehaviour() {}

  /** Whether the method may run code, or change fields, that cannot be seen from the call. */
  static boolean isUnseen(String owner, String name) {
    return startsWithAny(owner + "." + name, UNSEEN);
  }

  /** Whether tasks that the method starts may still run when it has returned. */
  static boolean leavesRunning(String owner, String name) {
    String method = owner + "." + name;
    if (!startsWithAny(owner, KNOWN)) {
      return true;
    }
    if (WAITING.contains(method)) {
      return false;
    }
    String concurrent = "java/util/concurrent/";
    return startsWithAny(method, LEFT_RUNNING)
        && !(owner.startsWith(concurrent)
            && startsWithAny(owner.substring(concurrent.length()), WITHOUT_TASKS));
  }

  private static boolean startsWithAny(String text, List<String> prefixes) {
    return prefixes.stream().anyMatch(text::startsWith);
  }
}
