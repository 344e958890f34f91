package org.reprise.launch.run;

/** What a rank of a live recording does when nobody has taken its events for too long. */
public enum WhenFull {
  /** It waits until there is room. */
  WAIT,
  /** It goes on with the order file alone: its events end there. */
  ORDER,
  /** It moves them to a file, which is cut back when the reader has caught up. */
  SPILL
}
