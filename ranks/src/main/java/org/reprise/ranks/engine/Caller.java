package org.reprise.ranks.engine;

import org.reprise.ranks.fabric.Inputs;
import org.reprise.ranks.journal.Journal;

/** The fabric of a rank as the engine under it needs to know it. */
public interface Caller {
  /** Where the outcomes of its calls go. */
  Journal journal();

  /** Where its program reads clocks and random sources. */
  Inputs inputs();

  /** Calls made so far. */
  long calls();

  /** What follows is done by this thread of the rank. */
  void goOnIn(int thread);
}
