package org.reprise.anomaly.agent.detect;

import java.util.ArrayDeque;
import java.util.Deque;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.Strand;

/**
 * A queue from block to block: who takes an element is after who put it. Elements are told apart by
 * identity; one that is put several times comes out as often, in that order. In which order blocks
 * beside each other put and take is a finding of its own.
 */
final class HandOff {
  private final IdentityTable<Object, Deque<Release>> inside = new IdentityTable<>();

  /** Who put elements that are not known one by one. */
  private Release others = Release.NONE;

  synchronized void put(Object element, Strand strand) {
    inside.get(element, any -> new ArrayDeque<>()).add(strand.release());
  }

  synchronized void putOthers(Strand strand) {
    others = others.and(strand.release());
  }

  synchronized void take(Object element, Strand strand) {
    Deque<Release> puts = inside.get(element);
    Release put = puts == null ? null : puts.poll();
    Release release = put == null ? others : put;
    if (release != Release.NONE) {
      strand.acquire(release);
    }
  }
}
