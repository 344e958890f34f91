package org.reprise.anomaly.agent.detect.history;

/**
 * What an access does to its variable. Updates of one commuting kind leave the same value in
 * whatever order they happen, as long as nobody looks in between.
 */
public enum Kind {
  READ,
  WRITE,
  ADD,
  EXTREME,
  INSERT;

  public boolean conflictsWith(Kind other) {
    if (this == READ || this == WRITE) {
      return this == WRITE || other != READ;
    }
    return this != other;
  }

  /** As reports call it: whatever changes the variable writes it. */
  public boolean isWrite() {
    return this != READ;
  }
}
