package org.reprise.anomaly.junit;

import org.jspecify.annotations.Nullable;

/**
 * Fails a test unless it is validated: {@code @ExtendWith(Validated.class)}. Stricter than {@link
 * NoAnomalies}: whatever prevents the verdict fails it, too, such as a lock whose order matters.
 */
public final class Validated extends NoAnomalies {
  @Override
  boolean fails(@Nullable String verdict) {
    return !"validated".equals(verdict);
  }
}
