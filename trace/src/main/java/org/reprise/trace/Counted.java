package org.reprise.trace;

/** How many of something, in words. */
public final class Counted {
  /** {@code 1 rank}, {@code 2 ranks}. */
  public static String of(long number, String singular) {
    return of(number, singular, singular + "s");
  }

  /** {@code 1 anomaly}, {@code 2 anomalies}. */
  public static String of(long number, String singular, String plural) {
    return number + " " + (number == 1 ? singular : plural);
  }

  private Counted() {}
}
