package org.reprise.causality.live;

import org.jspecify.annotations.Nullable;
import org.reprise.causality.races.RacingSite;
import org.reprise.trace.events.EventKind;

/**
 * A receive or probe that may still race with messages that are not sent yet; or several of one
 * site of which it can make no difference any more which is which.
 */
final class Scanned {
  final int number;
  final int site;
  final RacingSite.Kind kind;

  /** The receive, if there is more to ask than its limit. */
  final @Nullable Receive receive;

  private final int limit;
  private int count = 1;
  private int racing;
  boolean uncertain;

  Scanned(Receive receive, boolean plain) {
    number = receive.number;
    site = receive.site;
    kind = kind(receive);
    limit = receive.limit();
    this.receive = plain ? null : receive;
  }

  private static RacingSite.Kind kind(Receive receive) {
    if (receive.kind == EventKind.PROBE || receive.kind == EventKind.MPROBE) {
      return receive.poll ? RacingSite.Kind.POLL : RacingSite.Kind.PROBE;
    }
    return RacingSite.Kind.RECEIVE;
  }

  int limit() {
    return receive == null ? limit : receive.limit();
  }

  int count() {
    return count;
  }

  boolean isRacing() {
    return racing > 0;
  }

  /** All of them could have got a message; how many race now that did not before. */
  int race() {
    int fresh = count - racing;
    racing = count;
    return fresh;
  }

  /** Whether another one is the same to all messages that may come. */
  boolean isLike(Scanned other) {
    return receive == null && other.receive == null && site == other.site && kind == other.kind;
  }

  /** Counts another one with this one. */
  void add(Scanned other) {
    count += other.count;
    racing += other.racing;
  }
}
