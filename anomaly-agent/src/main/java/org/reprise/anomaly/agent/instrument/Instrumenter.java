package org.reprise.anomaly.agent.instrument;

import org.jspecify.annotations.Nullable;

/**
 * Rewrites one class so that it reports its accesses to {@link org.reprise.anomaly.hooks.Hooks}.
 */
public interface Instrumenter {
  /**
   * The instrumented class, or null where nothing is to be changed.
   *
   * @param loader where the class's own references are looked up; null is the boot loader
   * @param hasShadows whether its objects get room for their shadows; a class that is loaded can
   *     neither get it nor lose it
   * @throws CannotInstrument if the class has to stay as it is
   */
  byte @Nullable [] instrument(@Nullable ClassLoader loader, byte[] classFile, boolean hasShadows)
      throws CannotInstrument;
}
