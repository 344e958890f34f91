package org.reprise.anomaly.agent.jdk;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Classes of the JDK that differ only by the shape of what they handle: one name for each kind. */
final class Families {
  /** Stands for all the classes that reduce; there is one per shape and kind of reduction. */
  static final String REDUCING = "java/util/stream/ReduceOps$ReducingSink";

  /** Stands for all the classes that run an action for each element. */
  static final String FOR_EACH = "java/util/stream/ForEachOps$ForEachOp$Of";

  /** Stands for all the classes of what is to be done when a completable future is complete. */
  static final String COMPLETION = "java/util/concurrent/CompletableFuture$Completion";

  /** How the names of those begin that wait for one of two futures. */
  static final String EITHER = "java/util/concurrent/CompletableFuture$Or";

  /** Names that stand for several classes, not all of which have everything. */
  static final Set<String> ALL = Set.of(REDUCING, FOR_EACH, COMPLETION);

  /** More than any release has of one kind. */
  private static final int NUMBERED_MAX = 24;

  private Families() {}

  /**
   * Loads the families of streams, before there are transformers. These use streams, too, and what
   * is loaded while one runs is not offered to any.
   */
  static void load() {
    List<String> names = new ArrayList<>();
    for (String shape : List.of("Ref", "Int", "Long", "Double")) {
      names.add(FOR_EACH + shape);
    }
    for (int i = 1; i <= NUMBERED_MAX; i++) {
      names.add("java/util/stream/ReduceOps$" + i + "ReducingSink");
    }
    for (String name : names) {
      try {
        Class.forName(name.replace('/', '.'), false, null);
      } catch (ClassNotFoundException e) {
        // Not every release has as many.
      }
    }
  }

  /** The name that stands for a class, or the class's own. */
  static String family(String className) {
    if (className.startsWith("java/util/stream/ReduceOps$") && className.endsWith("ReducingSink")) {
      return REDUCING;
    }
    if (className.startsWith("java/util/concurrent/CompletableFuture$Uni")
        || className.startsWith("java/util/concurrent/CompletableFuture$Bi")
        || className.startsWith(EITHER)) {
      return COMPLETION;
    }
    return className.startsWith(FOR_EACH) ? FOR_EACH : className;
  }
}
