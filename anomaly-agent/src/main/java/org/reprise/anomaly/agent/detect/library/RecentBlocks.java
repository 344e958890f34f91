package org.reprise.anomaly.agent.detect.library;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.reprise.anomaly.agent.block.ThreadOrder;

/**
 * Blocks that did something, as far as later ones may be beside them: those that a newcomer comes
 * after are forgotten. Of many that are beside each other some are enough.
 */
final class RecentBlocks {
  private static final int BLOCKS_MAX = 8;

  private int[] tags = new int[0];

  /** Those that the thread's block does not come after. */
  int[] beside(ThreadOrder threadOrder) {
    return IntStream.of(tags).filter(tag -> !threadOrder.isAfter(tag)).toArray();
  }

  /** Adds the thread's block; returns those that it does not come after. */
  int[] add(ThreadOrder threadOrder) {
    int[] beside = beside(threadOrder);
    if (beside.length < BLOCKS_MAX) {
      tags = Arrays.copyOf(beside, beside.length + 1);
      tags[beside.length] = threadOrder.tag;
    }
    return beside;
  }
}
