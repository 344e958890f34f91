package org.reprise.anomaly.agent.block;

/**
 * The result that one leaf of a loop builds up, element by element, and into which the results of
 * other leaves are merged. Its steps are ordered among themselves and after the elements that they
 * add; how elements are shared out among leaves is no property of the program.
 */
public final class Accumulation {
  final Fork loop;
  final int tag;
  Known known;
  Known seen;

  Accumulation(Fork loop, int tag) {
    this.loop = loop;
    this.tag = tag;
    this.known = loop.known;
    this.seen = loop.seen;
  }

  /** The other leaf's result is about to be merged into this one. */
  public void merge(Accumulation other) {
    known = known.union(other.known).with(other.tag, other.tag);
    seen = seen.union(other.seen);
  }
}
