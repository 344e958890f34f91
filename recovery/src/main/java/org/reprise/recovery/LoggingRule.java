package org.reprise.recovery;

/**
 * Why a message is logged: a rule of Thoai and Volkert (2003, section 6), for a message from
 * interval i of rank q to interval j of rank p.
 */
public enum LoggingRule {
  /**
   * Rule 1: j is higher than i. The message is in transit where all ranks are at the same index.
   */
  IN_TRANSIT,
  /**
   * Rule 2, first condition: mark i+1 of p did not happen before mark i+2 of q, so that a
   * breakpoint may have q two intervals further than p.
   */
  TWO_STEPS,
  /**
   * Rule 2, second condition: a mark i+2 of a third rank came after mark i+1 of q and not after
   * mark i+1 of p.
   */
  THIRD_RANK,
  /** Rule 3: q had been longer in its interval when it sent than p when it received. */
  ELAPSED
}
