package org.reprise.causality.races;

/**
 * Tells which call sites of different ranks are the same. Ranks number their sites as they meet
 * them; two sites are one if they get the same number here.
 */
public interface Site {
  /** A number, not negative, for the site that a rank calls {@code site}. */
  int of(int rank, int site);

  /** For traces whose ranks number their sites alike. */
  static Site same() {
    return (_, site) -> site;
  }
}
