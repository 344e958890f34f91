package org.reprise.anomaly.agent.report;

/**
 * Something that prevents validation.
 *
 * @param what in words, such as "call of System.nanoTime(), which reads the clock"
 * @param place where it happened; empty if it is not one place
 */
public record Obstacle(String what, String place) {
  public String text() {
    return place.isEmpty() ? what : what + " at " + place;
  }
}
