package org.reprise.anomaly.report;

/**
 * Something that prevents validation.
 *
 * @param what in words, such as "call of System.nanoTime(), which reads the clock"
 * @param place where it happened; empty if it is not one place
 */
public record Obstacle(String what, String place) {
  private static final String ENDED = "the program ended with ";

  public Obstacle(String what) {
    this(what, "");
  }

  /** What a program had not done when it failed is not checked. */
  public static Obstacle endedWith(String failure) {
    return new Obstacle(ENDED + failure + "; what it had not done by then is not checked");
  }

  /** Whether it is one that {@link #endedWith} made. */
  public boolean isOfEnding() {
    return what.startsWith(ENDED);
  }

  public String text() {
    return place.isEmpty() ? what : what + " at " + place;
  }

  /** As a line of a report. */
  public String sentence() {
    return "prevents validation: " + text();
  }
}
