package org.reprise.anomaly.agent.detect;

import java.util.Set;

/** Methods of queues for many threads. */
final class QueueCalls {
  private static final Set<String> PUTS =
      Set.of(
          "put",
          "add",
          "offer",
          "addLast",
          "offerLast",
          "putLast",
          "transfer",
          "addFirst",
          "offerFirst",
          "putFirst",
          "push",
          "addAll");

  private static final Set<String> WAITS = Set.of("take", "takeFirst", "takeLast");

  private QueueCalls() {}

  static boolean puts(String name) {
    return PUTS.contains(name);
  }

  /** Whether the call waits for an element rather than asking whether there is one. */
  static boolean waits(String name) {
    return WAITS.contains(name);
  }
}
