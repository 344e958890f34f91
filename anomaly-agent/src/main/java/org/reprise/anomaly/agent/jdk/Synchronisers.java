package org.reprise.anomaly.agent.jdk;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Strand;

/**
 * What orders blocks besides forks and joins: latches, barriers, phasers. One orders only if its
 * operations are ordered by their role on every schedule; otherwise it is itself the obstacle.
 */
final class Synchronisers {
  private final BiConsumer<String, String> obstacles;

  Synchronisers(BiConsumer<String, String> obstacles) {
    this.obstacles = obstacles;
  }

  boolean enter(Strand strand, Point point, Object self, @Nullable Object argument) {
    return false;
  }

  void exit(
      Strand strand,
      boolean entered,
      Point point,
      Object self,
      @Nullable Object argument,
      @Nullable Object result) {}
}
