package org.reprise.cli;

import org.reprise.trace.CallSites;
import org.reprise.trace.EventCursor;
import org.reprise.trace.Rank;

/** Prints events, rank by rank. */
interface EventPrinter {
  void begin(Rank rank, CallSites sites);

  void print(EventCursor event);

  void end();
}
