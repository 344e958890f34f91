package org.reprise.bench;

import java.util.OptionalDouble;

/**
 * One measured number and what it should be.
 *
 * @param side what was done: record, replay, or whatever the benchmark says
 * @param unit of the number
 * @param plain what a plain run took, in seconds; empty where nothing was compared
 * @param least the number from the fastest run of each side: what is left when noise only adds
 */
record Row(
    String mpi,
    String name,
    String side,
    Unit unit,
    Spread spread,
    OptionalDouble least,
    OptionalDouble plain,
    OptionalDouble target) {
  /** What a number counts. */
  enum Unit {
    RATIO,
    BYTES,
    SECONDS
  }

  boolean met() {
    return target.isEmpty() || spread.median() <= target.getAsDouble();
  }
}
