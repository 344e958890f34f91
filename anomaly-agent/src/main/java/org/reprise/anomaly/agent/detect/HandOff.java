package org.reprise.anomaly.agent.detect;

import java.util.ArrayDeque;
import java.util.Deque;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.Strand;

/**
 * A queue from block to block: the k-th element taken is the k-th that was put, so the put is
 * before the take. True where puts are ordered among themselves and takes are; where they are not,
 * that is a finding of its own.
 */
final class HandOff {
  private final Deque<Release> inside = new ArrayDeque<>();

  synchronized void put(Strand strand) {
    inside.add(strand.release());
  }

  synchronized void take(Strand strand) {
    Release release = inside.poll();
    if (release != null) {
      strand.acquire(release);
    }
  }
}
