package org.reprise.ranks.host;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/**
 * What program classes have in place of the system's clock: its readings are inputs of the rank.
 */
final class RankClock extends Clock {
  private static final long NANOS = 1_000_000_000;

  private final ZoneId zone;

  RankClock(ZoneId zone) {
    this.zone = zone;
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId other) {
    return new RankClock(other);
  }

  @Override
  public Instant instant() {
    long nanos = RankHome.currentInputs().wallNanos();
    return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS), Math.floorMod(nanos, NANOS));
  }
}
