package org.reprise.launch.explore;

import org.reprise.causality.Notice;
import org.reprise.trace.text.Words;

/**
 * Why a run that was explored leaves open whether there are other orders than those that were
 * tried. Kept with the search, so that one that goes on later does not forget it.
 *
 * @param what a noun, where the reason has one
 */
record Doubt(Reason reason, String what) {
  /** What sort of thing is not known. */
  enum Reason {
    /**
     * A rank ended the others before they had done what they could. Plans are made from such runs
     * too, but that these reach every other order has not been shown.
     */
    CUT_SHORT,
    /** No rank got on, and the run was ended. */
    STALLED,
    /** Its events do not say what some receive took. */
    UNCERTAIN,
    /** Whether a cancel comes before a message is not tried. */
    CANCELLED,
    /** What it came to depends on something that is not recorded. */
    UNRECORDED,
    /** Calls may order others in a way that the graph does not have. */
    UNFOLLOWED
  }

  static Doubt of(Reason reason) {
    return new Doubt(reason, "");
  }

  static Doubt of(Notice.Kind notice) {
    return of(
        switch (notice) {
          case SENDS_CANCELLED, RECEIVES_CANCELLED -> Reason.CANCELLED;
          case SEND_MISSING, PAIRING_AMBIGUOUS, OVERTAKING_ALLOWED, CONTRADICTION ->
              Reason.UNCERTAIN;
        });
  }

  /** In a line of text. */
  String text() {
    return (reason + " " + what).strip();
  }

  /** What {@link #text} wrote. */
  static Doubt parse(String text) {
    int space = text.indexOf(' ');
    return space < 0
        ? of(Reason.valueOf(text))
        : new Doubt(Reason.valueOf(text.substring(0, space)), text.substring(space + 1));
  }

  String sentence(int runs) {
    String were = runs == 1 ? " was" : " were";
    return Words.count(runs, "run")
        + switch (reason) {
          case CUT_SHORT ->
              were
                  + " cut short by an abort or a crash, and what else it would have led to is not"
                  + " known";
          case STALLED -> " stalled, and what it would have done is not known";
          case UNCERTAIN -> " left open what some receive took";
          case CANCELLED -> " cancelled what a message might have reached, or might have missed";
          case UNRECORDED -> " depended on what is not recorded: " + what;
          case UNFOLLOWED -> " made calls of which it is not known what they order: " + what;
        };
  }
}
