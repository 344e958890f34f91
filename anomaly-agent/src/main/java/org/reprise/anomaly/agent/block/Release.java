package org.reprise.anomaly.agent.block;

/**
 * What somebody knows who waited for an event: everything the task that caused it knew then.
 * Several causes add up.
 */
public final class Release {
  public static final Release NONE = new Release(Known.NOTHING);

  final Known known;

  Release(Known known) {
    this.known = known;
  }

  public Release and(Release other) {
    return new Release(known.union(other.known));
  }
}
