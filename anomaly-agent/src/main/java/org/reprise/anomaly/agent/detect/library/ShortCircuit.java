package org.reprise.anomaly.agent.detect.library;

/**
 * Held like a lock by blocks that may as well have been left out: elements of a stream that ends as
 * soon as it knows its result. What such a block writes may outlive it, and then depends on chance.
 */
public final class ShortCircuit {
  public static final ShortCircuit MARK = new ShortCircuit();

  private ShortCircuit() {}
}
