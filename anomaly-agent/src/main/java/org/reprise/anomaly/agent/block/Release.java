package org.reprise.anomaly.agent.block;

/**
 * What somebody knows who waited for an event: everything the task that caused it knew then.
 * Several causes add up.
 */
public final class Release {
  public static final Release NONE = new Release(Known.NOTHING, Known.NOTHING);

  final Known known;

  /** What the task had seen besides, on this schedule. */
  final Known seen;

  Release(Known known, Known seen) {
    this.known = known;
    this.seen = seen;
  }

  public Release and(Release other) {
    Known bothKnown = known.union(other.known);
    Known bothSeen = seen.union(other.seen);
    return bothKnown == known && bothSeen == seen ? this : new Release(bothKnown, bothSeen);
  }

  /** Of every block with a tag up to this one, on this schedule. */
  static Release upTo(int tag) {
    return new Release(Known.NOTHING, Known.upTo(tag));
  }
}
