package org.reprise.ranks.engine;

import org.reprise.ranks.fabric.Fabric;

/** How messages and calls are put into words for a user. */
final class Words {
  /** What a receive or probe accepts. */
  static String pattern(int source, int tag) {
    return (source == Fabric.ANY_SOURCE ? "any rank" : "rank " + source)
        + (tag == Fabric.ANY_TAG ? ", any tag" : ", tag " + tag);
  }

  private Words() {}
}
