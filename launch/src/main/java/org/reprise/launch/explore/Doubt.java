package org.reprise.launch.explore;

import org.reprise.trace.text.Words;

/**
 * Why a run that was explored leaves open whether there are other orders than those that were
 * tried. Kept with the search, so that one that goes on later does not forget it.
 */
enum Doubt {
  /**
   * A rank ended the others before they had done what they could. Plans are made from such runs
   * too, but that these reach every other order has not been shown.
   */
  CUT_SHORT(" cut short by an abort or a crash, and what else it would have led to is not known"),
  /** No rank got on, and the run was ended. */
  STALLED(" stalled, and what it would have done is not known"),
  /** Its events do not say what some receive took. */
  UNCERTAIN(" left open what some receive took");

  private final String words;

  Doubt(String words) {
    this.words = words;
  }

  String sentence(int runs) {
    String was = this == CUT_SHORT ? runs == 1 ? " was" : " were" : "";
    return Words.count(runs, "run") + was + words;
  }
}
