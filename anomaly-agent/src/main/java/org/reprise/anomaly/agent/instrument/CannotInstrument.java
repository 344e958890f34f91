package org.reprise.anomaly.agent.instrument;

/** A class or method stays as it is; the message says which and why. */
public final class CannotInstrument extends Exception {
  public CannotInstrument(String message) {
    super(message);
  }
}
