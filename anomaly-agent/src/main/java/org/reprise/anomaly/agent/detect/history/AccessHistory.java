package org.reprise.anomaly.agent.detect.history;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.ThreadOrder;

/**
 * Who accessed a variable, as far as somebody later may conflict with it. For each access (site,
 * kind, locks) the maximal blocks are kept: one that is ordered before a later one with the same
 * access is dropped, since whatever comes later and is concurrent with it is concurrent with the
 * later one too. Of the iterations of one loop two are enough.
 *
 * <p>Departure from Hood, Kennedy and Mellor-Crummey 1990 (2.1): they keep the last reader, one
 * concurrent reader and the last writer, which finds one report per variable in loops without order
 * inside. Keeping maximal blocks per access finds every pair of statements, in programs of any
 * shape, and finds the same pairs on every schedule.
 */
public final class AccessHistory {
  private int[] tags = new int[2];
  private int[] accesses = new int[2];
  private int size;

  /** Of a variable that synchronises: who accessed it before. */
  private @Nullable Handover handover;

  public synchronized Handover handover() {
    Handover known = handover;
    if (known == null) {
      known = new Handover();
      handover = known;
    }
    return known;
  }

  /**
   * The thread accesses the variable; {@code access} is the number of how.
   *
   * @return whether two iterations of its loop are known to have done the same, so that further
   *     ones add nothing
   */
  public synchronized boolean add(
      ThreadOrder threadOrder,
      int access,
      Kind kind,
      int index,
      Accesses all,
      Conflicts conflicts) {
    int tag = threadOrder.tag;
    boolean there = false;
    int siblings = 0;
    int kept = 0;
    for (int i = 0; i < size; i++) {
      int other = tags[i];
      boolean same = accesses[i] == access;
      boolean keep = true;
      if (other == tag) {
        there |= same;
      } else if (threadOrder.isAfter(other)) {
        keep = !same && other > threadOrder.floor;
      } else {
        if (kind.conflictsWith(all.get(accesses[i]).kind())) {
          conflicts.found(other, accesses[i], access, index);
        }
        if (same && threadOrder.isInSameLoop(other)) {
          siblings++;
        }
      }
      if (keep) {
        tags[kept] = other;
        accesses[kept++] = accesses[i];
      }
    }
    size = kept;
    if (!there && siblings < 2) {
      put(tag, access);
    }
    return siblings >= 1;
  }

  /** A block that accessed the variable before this history existed. */
  synchronized void put(int tag, int access) {
    if (size == tags.length) {
      tags = Arrays.copyOf(tags, size * 2);
      accesses = Arrays.copyOf(accesses, size * 2);
    }
    tags[size] = tag;
    accesses[size++] = access;
  }
}
