package org.reprise.anomaly.agent.detect.library;

import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TransferQueue;

/** Methods of queues for many threads. */
public final class QueueCalls {
  private static final Set<String> PUTS =
      Set.of(
          "put",
          "add",
          "offer",
          "addLast",
          "offerLast",
          "putLast",
          "transfer",
          "tryTransfer",
          "addFirst",
          "offerFirst",
          "putFirst",
          "push",
          "addAll");

  private static final Set<String> WAITS = Set.of("take", "takeFirst", "takeLast");

  /** Puts where others take, and takes where others put. */
  private static final Set<String> OTHER_END =
      Set.of(
          "addFirst",
          "offerFirst",
          "putFirst",
          "push",
          "takeLast",
          "pollLast",
          "removeLast",
          "peekLast",
          "getLast");

  private static final Set<String> MAY_REFUSE = Set.of("offer", "add", "offerLast", "addLast");

  private QueueCalls() {}

  public static boolean usesOtherEnd(String name) {
    return OTHER_END.contains(name);
  }

  /**
   * Whether the call gives up if there is no room, and there may be none; or if nobody waits for
   * the element.
   */
  public static boolean mayRefuse(String name, Object queue) {
    return name.equals("tryTransfer")
        || (MAY_REFUSE.contains(name)
            && (queue instanceof SynchronousQueue<?> || isBounded(queue)));
  }

  /**
   * Whether there may be no room. Others put and take meanwhile, so the room that is left is asked
   * for once, and where there is as much as this, there is no bound that anybody could come to.
   */
  public static boolean isBounded(Object queue) {
    return queue instanceof BlockingQueue<?> blocking
        && !(queue instanceof SynchronousQueue<?>)
        && blocking.remainingCapacity() < Integer.MAX_VALUE / 2;
  }

  /** Whether those who put may wait for those who take. */
  public static boolean waitsForRoom(Object queue) {
    return queue instanceof SynchronousQueue<?>
        || queue instanceof TransferQueue<?>
        || isBounded(queue);
  }

  public static boolean puts(String name) {
    return PUTS.contains(name);
  }

  /** Whether the call waits for an element rather than asking whether there is one. */
  public static boolean waits(String name) {
    return WAITS.contains(name);
  }
}
