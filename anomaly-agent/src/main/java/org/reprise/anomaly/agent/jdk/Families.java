package org.reprise.anomaly.agent.jdk;

/** Classes of the JDK that differ only by the shape of what they handle: one name for each kind. */
final class Families {
  /** Stands for all the classes that reduce; there is one per shape and kind of reduction. */
  static final String REDUCING = "java/util/stream/ReduceOps$ReducingSink";

  /** Stands for all the classes that run an action for each element. */
  static final String FOR_EACH = "java/util/stream/ForEachOps$ForEachOp$Of";

  /** Stands for all the classes of what is to be done when a completable future is complete. */
  static final String COMPLETION = "java/util/concurrent/CompletableFuture$Completion";

  private Families() {}

  /** The name that stands for a class, or the class's own. */
  static String family(String className) {
    if (className.startsWith("java/util/stream/ReduceOps$") && className.endsWith("ReducingSink")) {
      return REDUCING;
    }
    if (className.startsWith("java/util/concurrent/CompletableFuture$Uni")
        || className.startsWith("java/util/concurrent/CompletableFuture$Bi")) {
      return COMPLETION;
    }
    return className.startsWith(FOR_EACH) ? FOR_EACH : className;
  }
}
