package org.reprise.cli.report;

import org.reprise.trace.Rank;
import org.reprise.trace.events.EventCursor;

/** Prints events, rank by rank. */
public interface EventPrinter {
  void begin(Rank rank);

  void print(EventCursor event);

  void end();
}
