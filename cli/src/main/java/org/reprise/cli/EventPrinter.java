package org.reprise.cli;

import org.reprise.trace.EventCursor;
import org.reprise.trace.Rank;

/** Prints events, rank by rank. */
interface EventPrinter {
  void begin(Rank rank);

  void print(EventCursor event);

  void end();
}
