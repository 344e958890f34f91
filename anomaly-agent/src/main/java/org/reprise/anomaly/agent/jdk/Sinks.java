package org.reprise.anomaly.agent.jdk;

/** Names of the classes in which streams call accumulators and ordered actions. */
final class Sinks {
  /** Stands for all the classes that reduce; there is one per shape and kind of reduction. */
  static final String REDUCING = "java/util/stream/ReduceOps$ReducingSink";

  /** Stands for all the classes that run an action for each element. */
  static final String FOR_EACH = "java/util/stream/ForEachOps$ForEachOp$Of";

  private Sinks() {}

  /** The name that stands for a class, or the class's own. */
  static String family(String className) {
    if (className.startsWith("java/util/stream/ReduceOps$") && className.endsWith("ReducingSink")) {
      return REDUCING;
    }
    return className.startsWith(FOR_EACH) ? FOR_EACH : className;
  }
}
